/** Names, one space apart, the slots of a document that show their fallback. For trials: not every document has its slots' data in it. */
export const emptySlotsHeader = 'X-Colonnade-Empty-Slots';
