/** The content file as the content loader compiles it. */
declare module '*/inquiry.md' {
  const content: import('./schema.ts').InquiryContent;
  export default content;
}
