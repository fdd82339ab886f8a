interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * Hides the URL of the previous page from third-party scripts, because that URL may contain an order's secret. Call this before a
 * third-party script is loaded.
 */
export function hideReferrer(): void {
  Object.defineProperty(document, 'referrer', { value: '', configurable: true });
}

/**
 * Returns the URL of a script or worker, marked as trusted if the browser requires that (Trusted Types). Use it only for URLs of
 * our build and of the configuration, never for input of visitors or answers of servers.
 */
export function trustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules: Policy = { createScriptURL: (given) => given };
  policy ??= trustedTypes?.createPolicy('kurs', rules) ?? rules;
  return policy.createScriptURL(url);
}
