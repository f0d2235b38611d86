import { idOf, timesOf } from "../../kernel/described.ts";

/** Descriptions of the fields of commits, for the API description. */

export const aboutCommit = {
  id: idOf("entry"),
  repo: ["Repository that the push came from, with its owner.", "acme/web"],
  sha: ["The commit's whole hash.", "9fceb02d0ae598e95dc970b74767f19372d61af8"],
  message: [
    "What the commit's author wrote. An issue's key in it made the reference.",
    "Fix sign-in on Safari (WEB-1)",
  ],
  url: ["Address of the commit. Empty if the forge sent none.", "https://github.com/acme/web/commit/9fceb02"],
  author: ["Name of the commit's author. `null` if unknown.", "Ada Lovelace"],
  committed_at: ["When the commit was made. `null` if unknown.", "2026-01-15T09:30:00.000Z"],
  branch: ["Branch that was pushed. `null` if unknown.", "main"],
  pull_request_url: ["Address of the pull request. `null` if there is none.", null],
  provider: ["Where the commit was reported from."],
  created_at: timesOf("entry").created_at,
} as const;
