const PAYOUT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the payout's id in a transfer's text; undefined for a text that people wrote by hand. */
export function ourReference(text: string | null | undefined): string | undefined {
  return text != null && PAYOUT_ID.test(text) ? text : undefined;
}

/** True if a provider's running number comes after another, or one of them is no number. */
export const isAfter = (id: string, other: string): boolean =>
  !/^\d+$/.test(id) || !/^\d+$/.test(other) || BigInt(id) > BigInt(other);

/** Returns the greatest of some running numbers and of `before`. Texts that are no numbers are left out. */
export const latestOf = (ids: readonly string[], before: string): string =>
  ids.reduce((latest, id) => (/^\d+$/.test(id) && isAfter(id, latest) ? id : latest), before);
