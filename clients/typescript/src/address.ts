/**
 * The address of an operation.
 * @param names values of the path's parameters, in their order
 * @throws TypeError if a value is empty, or would change which operation is called
 */
export function addressOf(base: string, path: string, names: readonly string[], query: object = {}): string {
  let at = 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => segment(parameter, names[at++]));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    // Members with names of one's own, such as custom fields.
    if (typeof value === "object") {
      for (const [member, content] of Object.entries(value)) parameters.set(`${name}[${member}]`, String(content));
    } else parameters.set(name, String(value));
  }
  const search = parameters.toString();
  return `${base}${filled}${search && "?"}${search}`;
}

function segment(parameter: string, value: string | undefined): string {
  // Dots alone would be resolved as steps in the path.
  if (!value || value === "." || value === "..") throw new TypeError(`"${value ?? ""}" cannot be the ${parameter}.`);
  return encodeURIComponent(value);
}
