/** Common fields of the desk's calls. Each call also states its permission, for reads and actions alike. */
export const desk = { tag: 'Operator' } as const;
