/** Version of the terms of service that orders are placed under: the newest folder in web/content/terms-of-services. */
export const POLICY_VERSION = '7';
