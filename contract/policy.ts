/** The version of the terms of service that an order is placed under; the page of the terms begins with it. */
export const POLICY_VERSION = '1';
