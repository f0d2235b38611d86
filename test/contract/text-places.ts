import type { Operation } from "../../src/api/engine/operation.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import type { Place } from "./hostile.ts";
import { bodySchema, branchesOf, type Path, propertiesOf, variantsTo } from "./variants.ts";

/** All places of a body that accept a text, derived from its schema. */

export type TextPlace = Place & {
  /** The schema's maximum length; undefined if it has none. */
  most: number | undefined;
};

export const textPlaces = (operation: Operation): TextPlace[] =>
  textsIn(operation, bodySchema(operation), { path: [], variants: [] });

/** Objects whose names clients choose. The first one is the body itself, although it rejects unknown names. */
export const namePlaces = (operation: Operation): Path[] => [[], ...recordsIn(bodySchema(operation), [])];

function textsIn(operation: Operation, schema: Json, { path, variants }: Place): TextPlace[] {
  return branchesOf(schema).flatMap((branch) => {
    const within = variantsTo(operation, schema, branch, path, variants);
    return [
      ...(isText(branch) ? [{ path, variants, most: branch.maxLength as number | undefined }] : []),
      ...childrenOf(branch).flatMap(([name, child]) =>
        textsIn(operation, child, { path: [...path, name], variants: within }),
      ),
    ];
  });
}

function recordsIn(schema: Json, path: Path): Path[] {
  return branchesOf(schema).flatMap((branch) => [
    ...(typeof branch.additionalProperties === "object" || isAnything(branch) ? [path] : []),
    ...childrenOf(branch).flatMap(([name, child]) => recordsIn(child, [...path, name])),
  ]);
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
