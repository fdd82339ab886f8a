/** The interface's words, compiled from `locales/` by the build: `m.home_title()` in the language of the page. */
export * as m from '../paraglide/messages.js';
