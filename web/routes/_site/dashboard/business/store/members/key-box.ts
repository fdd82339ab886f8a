/** Prefix of the names of checkboxes for keys that are revoked when a member is removed. The key's id follows. */
export const KEY_BOX = 'key-';
