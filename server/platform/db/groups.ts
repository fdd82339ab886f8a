/** Default batch size, in rows. */
const GROUP = 1_000;

/**
 * Reads a long table in batches of rows, in the order of their ids. `read` returns up to `max` rows after the id `behind`, or
 * the first rows if `behind` is undefined.
 */
export async function* inGroupsById<Row>(
  read: (behind: string | undefined, max: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  maximum = GROUP,
): AsyncGenerator<readonly Row[]> {
  for (let behind: string | undefined; ;) {
    const rows: readonly Row[] = await read(behind, maximum);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < maximum) return;
    behind = idOf(last);
  }
}

/**
 * Returns the ids of rows that `isRight` rejects, such as rows altered by SQL. Reads the rows in batches, as `inGroupsById`
 * does.
 */
export async function idsOfAltered<Row extends { readonly id: string }>(
  read: (behind: string | undefined, max: number) => Promise<readonly Row[]>,
  isRight: (row: Row) => boolean,
  maximum?: number,
): Promise<string[]> {
  const altered: string[] = [];
  for await (const rows of inGroupsById(read, ({ id }) => id, maximum))
    altered.push(...rows.filter((row) => !isRight(row)).map(({ id }) => id));
  return altered;
}
