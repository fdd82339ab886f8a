/** Names that a room lets others define as they are loaded, in place of a list of all of them. */
export interface Names {
  /** Defines a name, and gives it. The same name again is the same. */
  define(name: string): string;
  /** Throws for a name that no room of this process has defined. */
  require(name: string): void;
  /** All of them, in the order in which they were defined. */
  all(): readonly string[];
}

/** Opens a set of names; `what` says of what, for the error. */
export function openNames(what: string): Names {
  const names = new Set<string>();
  return {
    define(name) {
      names.add(name);
      return name;
    },
    require(name) {
      if (!names.has(name)) throw new Error(`No room has defined the ${what} ${name}`);
    },
    all: () => [...names],
  };
}
