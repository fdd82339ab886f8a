// HTTP around the product: mounts the calls of the contract, the site, downloads and files.

export { answerWhileBeginning, beginReading } from './calls/beginning.ts';
export { mountHealth } from './calls/health.ts';
export { openMetrics } from './calls/metrics.ts';
export { mountDesk } from './calls/mount-desk.ts';
export { mountRooms } from './calls/mount-rooms.ts';
export { mountWebhooks } from './calls/payment-webhooks.ts';
export { mountSandbox } from './calls/sandbox-routes.ts';
export { mountDeskDocs, mountDocs } from './downloads/api-docs.ts';
export { mountAvatars } from './downloads/avatars.ts';
export { mountExports } from './downloads/exports.ts';
export { mountFeeds } from './downloads/feeds.ts';
export { mountLinkPictures } from './downloads/link-pictures.ts';
export { mountStoreMarks } from './downloads/store-marks.ts';
export { mountSupportFiles } from './downloads/support-files.ts';
export { formOrigins, siteConfig, siteOrigin } from './site/site-config.ts';
export { buildOfSite, mountSite } from './site/site.ts';
