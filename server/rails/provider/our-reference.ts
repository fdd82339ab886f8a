const PAYOUT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a payout that a transfer bears; undefined for what people have written there by hand. */
export function ourReference(text: string | null | undefined): string | undefined {
  return text != null && PAYOUT_ID.test(text) ? text : undefined;
}

/** Whether a provider's running number came after another. One that is no number came after all. */
export const isAfter = (id: string, other: string): boolean =>
  !/^\d+$/.test(id) || !/^\d+$/.test(other) || BigInt(id) > BigInt(other);

/** The greatest of some running numbers and of the one before. */
export const latestOf = (ids: readonly string[], before: string): string =>
  ids.reduce((latest, id) => (/^\d+$/.test(id) && isAfter(id, latest) ? id : latest), before);
