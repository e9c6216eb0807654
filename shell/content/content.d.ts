declare module '*/site.md' {
  const site: import('./site.schema.ts').SiteContent;
  export default site;
}
