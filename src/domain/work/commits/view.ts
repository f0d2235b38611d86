import { z } from "zod";
import { view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutCommit } from "./descriptions.ts";

export const PROVIDERS = ["github", "gitlab", "generic"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const CommitRefView = view("CommitRef", aboutCommit, {
  id,
  repo: z.string(),
  sha: z.string(),
  message: z.string(),
  url: z.string(),
  author: z.string().nullable(),
  committed_at: timestamp.nullable(),
  branch: z.string().nullable(),
  pull_request_url: z.string().nullable(),
  provider: z.enum(PROVIDERS),
  created_at: timestamp,
});
export type CommitRefView = z.output<typeof CommitRefView>;
