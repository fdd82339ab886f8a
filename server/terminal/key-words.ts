/** Formats a fingerprint for people to compare: in groups of four. */
export const shownFingerprint = (fingerprint: string): string => (fingerprint.match(/.{1,4}/g) ?? []).join(' ');
