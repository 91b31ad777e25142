/**
 * The compiler's JavaScript API, for programs that read sources: version 6, because version 7, which compiles and checks
 * the repository, is native and has none. Everything that needs the API imports it from here.
 */
export { default as ts } from 'typescript';
