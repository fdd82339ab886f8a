// Referrals: by whose links customers come, and what the links bring.
//
// reference  what a link names: an account's code or alias, with a campaign behind a dot
// campaign   a name of an affiliate's own under which links are counted, with what friends get by it
// click      a device that opened a link: each once a day and campaign
// day        what a day brought by a campaign: counted as it happens

export { forgetCampaigns } from './campaigns.ts';
export { type Clicks, forgetClicks, openClicks } from './clicks.ts';
export { referralRoutes } from './routes.ts';
export { countSignUp } from './sign-ups.ts';
export { statisticsRows } from './statistics.ts';
