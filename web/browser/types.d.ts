declare module '*.svg?url' {
  const url: string;
  export default url;
}
declare module '*?worker&url' {
  const url: string;
  export default url;
}
