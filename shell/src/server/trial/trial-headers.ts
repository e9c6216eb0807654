/** Asks for what the set gives now, not for what it remembers. The gateway takes it from nobody. */
export const trialHeader = 'X-Colonnade-Trial';

/**
 * Names, one space apart, what an answer lacks: the slots of a document that show their fallback, the microfrontends whose
 * entries are not in the feed, or whose pages the sitemap cannot have. For trials: not every document has its slots' data in it.
 */
export const missingHeader = 'X-Colonnade-Missing';

/** The page is not there because of what its release did: for trials only, which do not refuse a release for its service. */
export const spoiledHeader = 'X-Colonnade-Spoiled';

/** What failed, percent-encoded: for trials only, so that a team reads why. */
export const failureHeader = 'X-Colonnade-Failure';
