import { Migration } from "@mikro-orm/migrations";

/**
 * Search of a whole workspace: what is indexed of issues, docs, comments and messages. Triggers write the columns, so
 * that search is never behind. Rows that exist already are indexed by a worker (`index-old-rows`). Until then they have
 * no vector or, for issues, an older one. docs/search.md describes how it works.
 */
export class Search extends Migration {
  override up(): void {
    for (const sql of [...WORDS, ...COLUMNS, ...TRIGGERS]) this.addSql(sql);
  }
}

/** Accents, vowel points and characters that nobody sees. */
const MARKS = String.raw`[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\ufe00-\ufe0f\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]`;

/** Letters of scripts without spaces: Thai, Lao, Myanmar, Khmer, Kana and Han. */
const UNSPACED = String.raw`[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]`;

/** Vowels and last consonants of Hangul, and voiced marks of Kana: normalization joins them to the letter before. */
const JOINING = String.raw`[\u1160-\u11ff\u3099\u309a\uff9e\uff9f]`;

/** As one character or two. */
const UMLAUTS = String.raw`[äöü]|[aou]\u0308`;

/** All ASCII characters that are neither letters nor digits. */
const withoutPunctuation = (text: string) =>
  String.raw`translate(${text}, E'!"#$%&\'()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32))`;

const WORDS = [
  // Postgres' normalize() takes quadratic time for long runs of marks, so it gets 256 characters at a time, and what joins
  // the last of them. Some characters decompose into punctuation, with which the text parser would take quadratic time too.
  `create function search_folded(written text) returns text language plpgsql immutable strict parallel safe as $$
   declare
     rest text := regexp_replace(lower(${withoutPunctuation("written")}), '${MARKS}', '', 'g');
     size int;
     folded text := '';
   begin
     while rest <> '' and length(folded) < 65536 loop
       size := 256 + length(substring(substr(rest, 257, 4) from '^${JOINING}*'));
       folded := folded || normalize(
         regexp_replace(normalize(left(rest, size), NFKD), '${MARKS}', '', 'g'), NFC);
       rest := substr(rest, size + 1);
     end loop;
     -- Arabic and Greek letters that are written in two ways, and Latin ones that have no accent to remove.
     folded := translate(lower(folded), 'ىةکیςøłđðħıŧ', 'يهكيσolddhit');
     folded := ${withoutPunctuation("folded")};
     return replace(replace(replace(replace(left(folded, 65536), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
   end $$`,

  // Pairs of the letters of scripts without spaces, and all else as it is.
  `create function search_pairs(folded text) returns text language sql immutable strict parallel safe as
   $$ select regexp_replace(folded, '(${UNSPACED}${UNSPACED}?)', ' \\1 ', 'g') $$`,

  // The words of a text: without punctuation and accents, and pairs of letters in scripts without spaces.
  `create or replace function search_words(written text) returns text language plpgsql immutable parallel safe as $$
   begin
     if octet_length(written) = length(written) then return ${withoutPunctuation("written")}; end if;
     return search_pairs(search_folded(written));
   end $$`,

  // Also as it is written without umlauts.
  `create function search_without_umlauts(written text) returns text language sql immutable strict parallel safe as
   $$ select ${["ä", "ö", "ü"]
     .flatMap((letter) => [letter, letter.normalize("NFD")].map((form) => [form, `${letter.normalize("NFD")[0]}e`]))
     .reduce((text, [form, spelt]) => `replace(${text}, '${form}', '${spelt}')`, "lower(written)")} $$`,

  // Pairs begin with each letter of a run: those of the first part with the odd ones, those of the second with the even.
  `create function search_vector(written text) returns tsvector language plpgsql immutable parallel safe as $$
   declare
     folded text;
     vector tsvector;
   begin
     if octet_length(written) = length(written) then return to_tsvector('simple', search_words(written)); end if;
     folded := search_folded(written);
     vector := to_tsvector('simple', search_pairs(folded));
     if folded ~ '${UNSPACED}' then
       vector := vector || to_tsvector('simple', search_pairs(
         regexp_replace(folded, '(^|[^${UNSPACED.slice(1)})(${UNSPACED})', '\\1 \\2 ', 'g')));
     end if;
     -- Positions end at 16383, so phrases of pairs are not found in longer texts.
     if folded ~ '${UNSPACED}' and length(folded) > 16383 then
       vector := vector || '''@long'''::tsvector;
     end if;
     if lower(written) ~ '${UMLAUTS}' then
       vector := vector || to_tsvector('simple', search_words(search_without_umlauts(written)));
     end if;
     return vector;
   end $$`,

  // What a word or phrase finds. The last letters of a text in a script without spaces may be half a pair.
  `create function search_query(term text, prefix boolean) returns tsquery language plpgsql immutable parallel safe as $$
   declare
     words text := search_words(term);
     wanted tsquery := phraseto_tsquery('simple', words);
   begin
     if numnode(wanted) > 0 and (prefix or right(rtrim(words), 1) ~ '${UNSPACED}') then
       wanted := (wanted::text || ':*')::tsquery;
     end if;
     if words ~ '${UNSPACED}' and wanted::text like '%<->%' then
       wanted := wanted || (replace(wanted::text, '<->', '&')::tsquery && '''@long'''::tsquery);
     end if;
     if lower(term) ~ '${UMLAUTS}' then wanted := wanted || search_query(search_without_umlauts(term), prefix); end if;
     return wanted;
   end $$`,

  // Rows with every word of a text, for the list of a project's issues.
  `create function search_every(written text) returns tsquery language sql immutable parallel safe as $$
     select coalesce(string_agg('(' || query::text || ')', ' & '), '')::tsquery
     from (select search_query(word, false) as query from regexp_split_to_table(written, '\\s+') word) words
     where numnode(query) > 0 $$`,

  // Lexemes that no text contains, because words have no punctuation: whose the row is, and when it was created. Half of
  // an id is enough, because tags only save time: who sees a row does not depend on them.
  `create function search_tag(kind text, id uuid) returns text language sql immutable strict parallel safe as
   $$ select '@' || kind || substr(id::text, 20, 4) || substr(id::text, 25) $$`,
];

const LONG = "65536";

// Each search reads all rows that wait to be sorted into the index, by default up to 4 MB.
const PENDING = "with (gin_pending_list_limit = 512)";

const COLUMNS = [
  `alter index issue_search set (gin_pending_list_limit = 512)`,
  // Words of the title, the key and the labels: what ranking reads.
  `alter table issue add column search_head tsvector`,
  `alter table doc add column search_head tsvector, add column search tsvector`,
  `alter table comment add column search tsvector`,
  `alter table doc_comment add column search tsvector`,
  `alter table chat_message add column search tsvector`,
  `alter table label add column search tsvector`,
  `create index doc_search on doc using gin (search) ${PENDING} where archived_at is null and search is not null`,
  `create index comment_search on comment using gin (search) ${PENDING} where deleted_at is null and search is not null`,
  `create index doc_comment_search on doc_comment using gin (search) ${PENDING} where deleted_at is null and search is not null`,
  `create index chat_message_search on chat_message using gin (search) ${PENDING}
   where deleted_at is null and search is not null`,
  `create index label_search on label using gin (search) ${PENDING} where search is not null`,
  // Rows that are not indexed yet.
  `create index issue_unindexed on issue (id) where search_head is null`,
  ...["doc", "comment", "doc_comment", "chat_message", "label"].map(
    (table) => `create index ${table}_unindexed on ${table} (id) where search is null`,
  ),
];

const body = (column: string) => `search_vector(left(coalesce(new.${column}, ''), ${LONG}))`;
const tags = (...list: string[]) => `array_to_tsvector(array[${list.join(", ")}])`;
const WORKSPACE = "search_tag('w', new.workspace_id)";
// Not a function, because Postgres would not inline it, and calling it costs more than the rest of the trigger.
/** The week in which the row was created, and the thirteen weeks. */
const AGE = ["t", "s"]
  .map((kind, n) => `'@${kind}' || floor(extract(epoch from new.created_at) / ${[604_800, 7_862_400][n]})::int`)
  .join(", ");

const trigger = (table: string, columns: string, statements: string) => [
  `create or replace function index_${table}() returns trigger language plpgsql as $$
   begin ${statements} return new; end $$`,
  `drop trigger if exists ${table}_indexed on ${table}`,
  `create trigger ${table}_indexed before insert or update of ${columns} on ${table}
   for each row execute function index_${table}()`,
];

const TRIGGERS = [
  ...trigger(
    "issue",
    "key, title, description_md, label_ids",
    // Queries in PL/pgSQL are slow, so issues without labels run none.
    `new.search_head := setweight(search_vector(new.title), 'A') ||
       setweight(to_tsvector('simple', replace(new.key, '-', ' ')), 'B');
     if new.label_ids <> '{}' then
       new.search_head := new.search_head ||
         array_to_tsvector(array(select distinct search_tag('l', id) from unnest(new.label_ids) id));
     end if;
     new.search := new.search_head || setweight(${body("description_md")}, 'C') ||
       ${tags(WORKSPACE, "search_tag('p', new.project_id)", AGE)};`,
  ),
  // A private doc has the tag of its owner only, so that nobody else pays for it.
  ...trigger(
    "doc",
    "title, body_md, visibility, owner_id, project_id",
    `new.search_head := setweight(search_vector(new.title), 'A');
     new.search := new.search_head || setweight(${body("body_md")}, 'C') ||
       case when new.visibility = 'private' then ${tags("search_tag('u', new.owner_id)", AGE)}
            else ${tags(WORKSPACE, "coalesce(search_tag('p', new.project_id), search_tag('n', new.workspace_id))", AGE)} end;`,
  ),
  ...trigger(
    "comment",
    "body_md, project_id",
    `new.search := setweight(${body("body_md")}, 'D') ||
       ${tags(WORKSPACE, "search_tag('p', new.project_id)", AGE)};`,
  ),
  ...trigger("doc_comment", "body_md", `new.search := setweight(${body("body_md")}, 'D') || ${tags(WORKSPACE, AGE)};`),
  ...trigger(
    "chat_message",
    "body_md",
    `new.search := setweight(${body("body_md")}, 'D') ||
       ${tags(WORKSPACE, "search_tag('c', new.channel_id)", AGE)};`,
  ),
  ...trigger("label", "name", `new.search := search_vector(new.name) || ${tags(WORKSPACE)};`),
];
