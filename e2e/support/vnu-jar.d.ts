declare module 'vnu-jar' {
  /** Path of the checker's jar. */
  const jar: string;
  export default jar;
}
