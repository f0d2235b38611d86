import { own } from "../../domain/kernel/own.ts";
import { closest } from "../../domain/kernel/text.ts";

/** Words of other services and of everyday language, and the names that this API has for them. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  name: ["title", "label"],
  desc: ["description_md", "description"],
  val: ["value"],
  title: ["name", "label"],
  subject: ["title"],
  heading: ["title"],
  headline: ["title"],
  text: ["body_md", "description_md", "note", "title"],
  content: ["body_md", "description_md"],
  message: ["body_md", "note"],
  comment: ["body_md", "comment_md", "note_md", "note"],
  markdown: ["body_md", "description_md"],
  details: ["description_md", "description", "body_md"],
  body: ["body_md", "description_md"],
  description: ["description_md"],
  issues: ["items"],
  comments: ["items"],
  docs: ["items"],
  tags: ["labels"],
  tag: ["labels", "label"],
  tag_ids: ["labels"],
  assigned_to: ["assignee"],
  owner: ["owner_user_id", "lead_user_id", "assignee"],
  lead: ["lead_user_id"],
  creator: ["reporter"],
  author: ["reporter"],
  estimate: ["estimate_minutes", "story_points"],
  time_estimate: ["estimate_minutes"],
  original_estimate: ["estimate_minutes"],
  points: ["story_points"],
  iteration: ["sprint_id", "sprint"],
  cycle: ["sprint_id", "sprint"],
  due: ["due_at", "due_before"],
  due_date: ["due_at", "target_date"],
  due_on: ["due_at", "target_date"],
  deadline: ["due_at", "target_date"],
  start: ["start_at", "since", "from"],
  start_date: ["start_at"],
  starts: ["start_at"],
  starts_at: ["start_at"],
  end: ["end_at", "until", "to"],
  end_date: ["end_at", "target_at", "due_at"],
  ends: ["end_at"],
  finish: ["end_at"],
  finish_date: ["end_at"],
  release_date: ["target_date"],
  state: ["status", "category"],
  column: ["status", "status_id"],
  column_id: ["status_id"],
  severity: ["priority"],
  type: ["kind"],
  kind: ["type"],
  key: ["issue_key", "target_key"],
  issue: ["target_key", "issue_key"],
  event: ["trigger"],
  steps: ["nodes"],
  from: ["source_node_id"],
  source: ["source_node_id"],
  result: ["outcome", "status"],
  decision: ["outcome"],
  vote: ["outcome"],
  verdict: ["outcome"],
  parent_key: ["parent"],
  epic_key: ["epic"],
  project_key: ["project"],
  input_tokens: ["tokens_in"],
  prompt_tokens: ["tokens_in"],
  output_tokens: ["tokens_out"],
  completion_tokens: ["tokens_out"],
  cache_read_tokens: ["cached_tokens"],
  cache_read_input_tokens: ["cached_tokens"],
  cached_input_tokens: ["cached_tokens"],
  cache_creation_input_tokens: ["cache_write_tokens"],
  cost: ["cost_usd"],
  price: ["cost_usd"],
  size: ["byte_size"],
  bytes: ["byte_size"],
  length: ["byte_size"],
  file: ["file_name"],
  mime_type: ["mime"],
  media_type: ["mime"],
  content_type: ["mime"],
  sha256: ["checksum_sha256"],
  checksum: ["checksum_sha256"],
  pr: ["external_url"],
  pull_request: ["external_url"],
  link: ["url", "external_url"],
  address: ["url", "email"],
  endpoint: ["url"],
  callback_url: ["url"],
  redirect_uri: ["redirect_uris"],
  topics: ["event_types"],
  permissions: ["scopes"],
  scope: ["scopes"],
  target: ["target_key", "target_node_id"],
  to: ["target_key", "target_node_id", "status", "until"],
  relation: ["kind"],
  duration: ["minutes"],
  time_spent: ["minutes", "spent_minutes"],
  time: ["minutes"],
  date: ["spent_on", "due_at"],
  query: ["q"],
  search: ["q"],
  per_page: ["limit"],
  page_size: ["limit"],
  count: ["limit"],
  page: ["cursor"],
  offset: ["cursor"],
  after: ["cursor", "since"],
  starting_after: ["cursor"],
  order: ["sort"],
  order_by: ["sort"],
  sort_by: ["sort"],
  active: ["enabled"],
  is_active: ["enabled"],
  members: ["member_ids"],
  users: ["user_ids", "member_ids"],
  user: ["user_id"],
  projects: ["project_ids"],
};

const joined = (name: string) => name.toLowerCase().replaceAll(/[_.\s-]/g, "");
const wordsIn = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_.\s-]+/);

const hasAll = (words: readonly string[], wanted: readonly string[]) => wanted.every((word) => words.includes(word));

/** A part of a name says little if it is so short: `id`, `at`, `key`. */
const MIN_PART = 4;

/** Longer names are not compared. */
const MAX_COMPARED = 100;

/**
 * The known name that an unknown one probably means: the same letters in another style, the word of another service, a
 * misspelling, or a part of one name.
 */
export function nameMeant(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const sameLetters = joined(name);
  const same = known.find((one) => one.length >= sameLetters.length && joined(one) === sameLetters);
  if (same !== undefined) return same;
  const words = wordsIn(name);
  const other = (own(OTHER_WORDS, words.join("_")) ?? []).find((one) => known.includes(one));
  const isPart = sameLetters.length >= MIN_PART;
  return (
    other ??
    closest(name, known) ??
    (isPart ? known.find((one) => one.includes(words[0]!) && hasAll(wordsIn(one), words)) : undefined)
  );
}
