/** Words of the interface, compiled from `locales/` by the build: `m.home_title()` in the language of the page. */
export * as m from '../paraglide/messages.js';
