export { authPages } from './auth-pages.js';
