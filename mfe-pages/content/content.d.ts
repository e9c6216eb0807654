/** Content files as the content loader compiles them. */
declare module '*/home.md' {
  const content: import('./schema.ts').HomeContent & { body: import('@colonnade/content/tree').Tree };
  export default content;
}
declare module '*/company.md' {
  const content: import('./schema.ts').CompanyContent & { body: import('@colonnade/content/tree').Tree };
  export default content;
}
declare module '*/privacy.md' {
  const content: import('./schema.ts').PrivacyContent & { body: import('@colonnade/content/tree').Tree };
  export default content;
}
declare module '*.md?only=title,description,label' {
  const page: import('./schema.ts').PageContent;
  export default page;
}
declare module '*/company.md?only=organization' {
  const company: Pick<import('./schema.ts').CompanyContent, 'organization'>;
  export default company;
}
