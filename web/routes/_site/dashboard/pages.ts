// The dashboard is one part of the site's code: who comes to one of its pages comes to the others.

export { DashboardFrame } from './frame.tsx';
export { LaterPage } from './later.tsx';
export { OverviewPage } from './overview.tsx';
