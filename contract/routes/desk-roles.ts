// Whose calls those of the desk are. To read takes a role as to act does.

const common = { who: 'operator', tag: 'Operator' } as const;

/** Of those who run the desk. */
export const operators = { ...common, roles: ['operator'] } as const;
/** Of those who decide holds, freezes and what the law asks. */
export const compliance = { ...common, roles: ['compliance'] } as const;
/** Of everybody of the desk; what an act in it takes, the act says. */
export const desk = { ...common, roles: ['operator', 'compliance'] } as const;
