import { SAMPLE } from "../../kernel/described.ts";

/** Descriptions of search for the API description. */

export const aboutSearchQuery = {
  q: [
    'What to search for, 1 to 200 characters, at most 20 words. Every word must occur; words also match the beginning of longer words. `"two words"` is a phrase, `-word` leaves objects out that contain the word, and the key of an issue such as `WEB-12`, or its address, finds that issue first.',
    "login -draft",
  ],
  types: [
    "Comma-separated list of `issue`, `doc`, `comment`, `message`, `project`, `person` and `goal`. Default: `issue,doc`, and `project`, `person` and `goal` if the key has their scopes. Comments need the scope `comments:read` too, messages `chat:read`, projects `projects:read`, people `members:read`, goals `goals:read`.",
    "issue,doc",
  ],
} as const;

export const aboutSearchResult = {
  type: [
    "`issue`, `doc`, `comment` (of an issue or a doc), `message` (of a channel), `project`, `person` (a member) or `goal`.",
    "issue",
  ],
  id: ["Id of the object. Read it with the call of its `type`. For people, the user id.", SAMPLE.issue],
  title: [
    "Title of the issue, doc or goal, also for its comments. For messages, the name of the channel. For projects and people, the name.",
    "Login fails",
  ],
  url: ["Address of the object's page.", "https://muster.example/w/acme/p/web/WEB-12"],
  key: ["Key of the issue, also for its comments, or of the project. `null` for others.", "WEB-12"],
  project_key: ["Key of the project. `null` for objects of the whole workspace.", "WEB"],
  status: ["Category of the issue's status, also for its comments. `null` for others.", "todo"],
  snippet: [
    "HTML of at most 200 characters: the text around the first match, with `<mark>` around the matches. Everything else is escaped. For people, the e-mail address or the name.",
    "After the update the <mark>login</mark> page stays empty.",
  ],
  updated_at: ["When the object was last changed. For people, when they joined.", "2026-01-16T14:05:12.480Z"],
  score: [
    "How well the object matches, 0 to 1. 1000 for the issue whose key is searched for. Results come in the order of their scores.",
    0.83,
  ],
} as const;
