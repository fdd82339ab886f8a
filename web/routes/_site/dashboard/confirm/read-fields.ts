/** What stands in the inputs `to.…` of an account, by the names of its fields; what is empty is absent. */
export function readFields(element: HTMLElement): Readonly<Record<string, string>> {
  const inputs = [...element.querySelectorAll('input')].map(
    ({ name, value }) => [name.slice('to.'.length), value.trim()] as const,
  );
  return Object.fromEntries(inputs.filter(([, value]) => value !== ''));
}
