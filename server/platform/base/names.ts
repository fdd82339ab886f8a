/** Set of names. Each room defines its own names when its code is loaded, so the platform needs no list of names. */
export interface NameSet {
  /** Defines a name and returns it. Defining it again changes nothing. */
  define(name: string): string;
  /** Throws for a name that no room of this process has defined. */
  require(name: string): void;
  /** All names in alphabetical order: rooms define them in the order in which their code is loaded, which differs. */
  all(): readonly string[];
}

/** Returns an empty set of names. `what`: kind of the names, for the error of `require`. */
export function openNames(what: string): NameSet {
  const names = new Set<string>();
  return {
    define(name) {
      names.add(name);
      return name;
    },
    require(name) {
      if (!names.has(name)) throw new Error(`No room has defined the ${what} ${name}`);
    },
    all: () => [...names].toSorted(),
  };
}
