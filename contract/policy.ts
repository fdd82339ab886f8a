/** The version of the terms of service that an order is placed under; the newest folder of web/content/terms-of-services. */
export const POLICY_VERSION = '6';
