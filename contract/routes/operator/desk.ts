/** What every call of the desk has in common; each states the permission that it takes, a read as an action does. */
export const desk = { tag: 'Operator' } as const;
