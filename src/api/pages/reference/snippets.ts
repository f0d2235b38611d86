import { groupName, methodName } from "../../openapi/client-names.ts";
import { type Call, type Description, parametersOf, successOf } from "./description.ts";

/** A call in the languages that most clients are written in, with the values of the description's examples. */

export type Snippet = { language: string; code: string };

export function snippetsOf(api: Description, call: Call): Snippet[] {
  const made = exampleOf(api, call);
  return [
    { language: "Shell", code: shell(made) },
    { language: "TypeScript", code: typescript(api, made) },
    { language: "Python", code: python(made) },
  ];
}

type Made = {
  call: Call;
  address: string;
  /** Values of the path without the workspace, in order. */
  places: string[];
  query: Record<string, string>;
  body: unknown;
  isStream: boolean;
  isList: boolean;
};

function exampleOf(api: Description, call: Call): Made {
  const parameters = parametersOf(api, call);
  const exampleFor = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? name);
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleFor(name)));
  const needed = parameters.filter((one) => one.in === "query" && one.required);
  const query = Object.fromEntries(needed.map(({ name }) => [name, exampleFor(name)]));
  const search = new URLSearchParams(query).toString();
  return {
    call,
    address: `${api.baseUrl}${path}${search ? `?${search}` : ""}`,
    places: [...call.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === "slug" ? [] : [exampleFor(name!)])),
    query,
    body: call.requestBody?.content["application/json"]?.example,
    isStream: "text/event-stream" in successOf(api, call),
    isList: parameters.some(({ name }) => name === "cursor"),
  };
}

function shell({ call, address, body, isStream }: Made): string {
  const lines = [
    `curl ${isStream ? "-N " : ""}${call.method === "GET" ? "" : `-X ${call.method} `}'${address.replaceAll("'", "%27")}'`,
    `-H "Authorization: Bearer $MUSTER_KEY"`,
  ];
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`);
  }
  return lines.join(" \\\n  ");
}

function typescript({ baseUrl }: Description, { call, places, query, body, isStream, isList }: Made): string {
  const own = [...(body === undefined ? [] : [body]), ...(Object.keys(query).length > 0 ? [query] : [])];
  const given = [...places, ...(isStream ? [] : own)].map((value) => JSON.stringify(value, null, 2));
  const method = isStream ? "listen" : methodName(call);
  const made = `muster.${groupName(call.tags[0])}.${method}(${given.join(", ")})`;
  const use =
    isList || isStream
      ? `for await (const ${isStream ? "event" : "row"} of ${made}) console.log(${isStream ? "event" : "row"});`
      : `console.log(await ${made});`;
  return `import { Muster } from "@muster/client";

const muster = new Muster({ url: ${JSON.stringify(baseUrl)}, key: process.env.MUSTER_KEY! });
${use}`;
}

function python({ call, address, body, isStream }: Made): string {
  const lines = [
    JSON.stringify(address),
    `headers={"Authorization": "Bearer " + os.environ["MUSTER_KEY"]}`,
    ...(body === undefined ? [] : [`json=${pythonValue(body, "    ")}`]),
    ...(isStream ? ["stream=True"] : []),
  ];
  const use = isStream ? "for line in reply.iter_lines():\n    print(line.decode())" : "print(reply.text)";
  return `import os

import requests

reply = requests.${call.method.toLowerCase()}(
${lines.map((line) => `    ${line},`).join("\n")}
)
reply.raise_for_status()
${use}`;
}

/** A JSON value as Python writes it. */
function pythonValue(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((one) => pythonValue(one, inner))]
    : ["{", "}", Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`)];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
