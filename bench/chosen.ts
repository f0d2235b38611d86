/**
 * What a variable with commas chooses: the names that contain one of its parts, or all names without it.
 * @throws an error if a part is in no name, so that a typing error does not look like a run without faults
 */
export function chosen<Named>(variable: string, all: readonly Named[], nameOf: (one: Named) => string): Named[] {
  const parts = process.env[variable]?.toLowerCase().split(",");
  if (!parts) return [...all];
  const has = (one: Named, part: string) => nameOf(one).toLowerCase().includes(part);
  const unknown = parts.filter((part) => part === "" || !all.some((one) => has(one, part)));
  if (unknown.length > 0) {
    throw new Error(`${variable} has unknown names: ${unknown.join(", ")}. Known: ${all.map(nameOf).join(", ")}.`);
  }
  return all.filter((one) => parts.some((part) => has(one, part)));
}
