import type { Operation } from "../../src/api/engine/operation.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { bodySchema, type Path, propertiesOf, resolve } from "./hostile.ts";

/** All places of a body that accept a text, derived from its schema. */

export type TextPlace = {
  path: Path;
  /** The schema's maximum length; undefined if it has none. */
  most: number | undefined;
};

export const textPlaces = (operation: Operation): TextPlace[] => textsIn(bodySchema(operation), []);

/** Objects whose names clients choose. The first one is the body itself, although it rejects unknown names. */
export const namePlaces = (operation: Operation): Path[] => [[], ...recordsIn(bodySchema(operation), [])];

function textsIn(schema: Json, path: Path): TextPlace[] {
  return branchesOf(schema).flatMap((branch) => [
    ...(isText(branch) ? [{ path, most: branch.maxLength as number | undefined }] : []),
    ...childrenOf(branch).flatMap(([name, child]) => textsIn(child, [...path, name])),
  ]);
}

function recordsIn(schema: Json, path: Path): Path[] {
  return branchesOf(schema).flatMap((branch) => [
    ...(typeof branch.additionalProperties === "object" || isAnything(branch) ? [path] : []),
    ...childrenOf(branch).flatMap(([name, child]) => recordsIn(child, [...path, name])),
  ]);
}

function branchesOf(schema: Json): Json[] {
  const own = resolve(schema);
  return ((own.anyOf ?? own.oneOf ?? [own]) as Json[]).map(resolve);
}

const childrenOf = (branch: Json): [string | number, Json][] => [
  ...Object.entries(propertiesOf(branch)),
  ...(branch.items ? [[0, branch.items as Json] as [number, Json]] : []),
  ...(typeof branch.additionalProperties === "object"
    ? [["a name", branch.additionalProperties as Json] as [string, Json]]
    : []),
];

const isText = (branch: Json) => [branch.type].flat().includes("string") || isAnything(branch);
const isAnything = ({ type, enum: values, const: value }: Json) =>
  type === undefined && values === undefined && value === undefined;
