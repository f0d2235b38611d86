import { newId } from "../src/domain/kernel/ids.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Search over HTTP in a workspace with 100,000 issues, 10,000 docs and 100,000 comments of two years in 50 scoped projects:
 * median and 95th percentile of a page of 20, for the owner and for a member who sees one project. The calls take turns.
 * SEARCH_ISSUES sets the number of issues and comments; there are a tenth as many docs.
 */

const ISSUES = Number(process.env.SEARCH_ISSUES ?? 100_000);
const PROJECTS = 50;
const TIMES = 60;
const WARM_UP = 8;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  try {
    await fillProjects(bench);
    await fillTexts(bench);
    const [owner, member] = [await addKeys(bench, bench.ids.userId), await addMember(bench)];
    const web = await bench.start("src/web.ts");
    const url = `http://127.0.0.1:${web.port}/v1/workspaces/bench/search`;
    const call = async (keys: string[], turn: number, query: string) => {
      const started = performance.now();
      const reply = await fetch(`${url}?limit=20&${query}`, {
        headers: { authorization: `Bearer ${keys[turn % keys.length]}` },
      });
      const text = await reply.text();
      if (reply.status !== 200) throw new Error(`${query}: ${reply.status} ${text.slice(0, 300)}`);
      return { ms: performance.now() - started, rows: JSON.parse(text).data.length as number };
    };
    console.log(
      `search: ${ISSUES} issues, ${ISSUES / 10} docs, ${ISSUES} comments, ${PROJECTS} projects; ${TIMES} calls each`,
    );
    console.log("                                     owner ms   rows       member ms   rows   ratio");
    for (const [name, query] of QUERIES) {
      const times: [number[], number[]] = [[], []];
      const rows = [0, 0];
      for (let n = 0; n < TIMES + WARM_UP; n++) {
        for (const [who, keys] of [owner, member].entries()) {
          const { ms, rows: found } = await call(keys, n, query);
          if (n >= WARM_UP) times[who]!.push(ms);
          rows[who] = found;
        }
      }
      const cell = (list: number[]) => `${median(list).toFixed(1)} (${at95(list).toFixed(1)})`.padStart(15);
      console.log(
        `${name.padEnd(30)}${cell(times[0])} ${String(rows[0]).padStart(6)} ${cell(times[1])} ${String(rows[1]).padStart(6)} ${(median(times[1]) / median(times[0])).toFixed(2).padStart(7)}`,
      );
    }
  } finally {
    await bench.stop();
  }
}

const QUERIES: [string, string][] = [
  ["a rare word", "q=zebra"],
  ["a word that does not exist", "q=nosuchword"],
  ["a word of 1 in 100", "q=quagga"],
  ["a word of 1 in 20", "q=okapi"],
  ["a word of 1 in 4", "q=login"],
  ["a word that all have", "q=wrong"],
  ["a prefix, 1 in 4", "q=logi"],
  ["a prefix, all", "q=wro"],
  ["a prefix of two letters", "q=de"],
  ["two words, common", "q=login+describe"],
  ["two words, common and rare", "q=login+zebra"],
  ["two words, rarely together", "q=okapi+quagga"],
  ["a phrase", "q=%22describe+what%22"],
  ["a phrase that nothing has", "q=%22what+describe%22"],
  ["a word without another", "q=login+-okapi"],
  ["a key", "q=P7-77"],
  ["Japanese", "q=%E6%9D%B1%E4%BA%AC%E9%83%BD"],
  ["comments, rare", "q=zebra&types=comment"],
  ["comments, common", "q=login&types=comment"],
  ["all types, common", "q=login&types=issue,doc,comment,message"],
];

const at95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;

const KEYS = 40;

/** Keys of a user. Each may search 60 times a minute. */
async function addKeys({ sql, ids }: Bench, userId: string): Promise<string[]> {
  const keys = Array.from({ length: KEYS }, () => newSecret("wk_"));
  for (const { hash, prefix, last_four } of keys) {
    await sql(
      `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, rate_limit_per_minute, created_by, created_at, updated_at)
       values ($1, $2, $3, 'workspace', 'bench', $4, $5, $6, '{admin}', 100000000, $3, now(), now())`,
      [newId(), ids.workspaceId, userId, hash, prefix, last_four],
    );
  }
  return keys.map(({ plaintext }) => plaintext);
}

/** A member who sees one of the projects. */
async function addMember(bench: Bench): Promise<string[]> {
  const { sql, ids } = bench;
  const userId = newId();
  await sql(`insert into app_user (id, kind, name, created_at, updated_at) values ($1, 'person', 'Mo', now(), now())`, [
    userId,
  ]);
  await sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())`, [
    ids.workspaceId,
    userId,
  ]);
  await sql(
    `insert into project_member (project_id, user_id, workspace_id, role, added_at)
     select id, $2, $1, 'member', now() from project where workspace_id = $1 and key = 'P7'`,
    [ids.workspaceId, userId],
  );
  return addKeys(bench, userId);
}

async function fillProjects({ sql, ids }: Bench): Promise<void> {
  await sql("update project set scoped = true");
  await sql(
    `insert into project (id, workspace_id, key, slug, name, scoped, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'P' || n, 'p' || n, 'Project ' || n, true, $2, now(), now()
     from generate_series(1, ${PROJECTS - 1}) n`,
    [ids.workspaceId, ids.userId],
  );
}

/** Words in a known share of the texts, in every project the same. */
const TEXT = `
  'Some words that describe what is wrong here. ' || (array['login', 'search', 'billing', 'export'])[1 + abs(hashint8(n)::bigint) % 4] ||
  case when n % 19 = 0 then ' okapi' else '' end || case when n % 101 = 0 then ' quagga' else '' end ||
  case when n % 20011 = 0 then ' zebra' else '' end || case when n % 997 = 0 then ' 東京都庁へ行く' else '' end ||
  ' word' || (n % 5003) || ' thing' || (n % 7919) || ' ' || md5(n::text)`;
/** Two years, the oldest first, as in a workspace that has grown. */
const CREATED = (count: number) => `now() - interval '730 days' * (${count} - n) / ${count}`;

async function fillTexts({ sql, ids }: Bench): Promise<void> {
  const { workspaceId, userId } = ids;
  const projects = `p as (select array_agg(id order by key) as ids, array_agg(key order by key) as keys from project)`;
  const batch = 20_000;
  for (let from = 0; from < ISSUES; from += batch) {
    const to = Math.min(ISSUES, from + batch);
    await sql(
      `with ${projects}
       insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, priority, rank,
                          reporter_id, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, p.ids[1 + n % ${PROJECTS}], n / ${PROJECTS} + 1,
              p.keys[1 + n % ${PROJECTS}] || '-' || (n / ${PROJECTS} + 1), 'task',
              'Issue ' || n || ' about ' || (array['pages', 'screens', 'login'])[1 + n % 3], ${TEXT}, 'todo', 'medium',
              rank_of(n), $2, $2, ${CREATED(ISSUES)}, ${CREATED(ISSUES)}
       from generate_series($3::int, $4::int - 1) n, p`,
      [workspaceId, userId, from, to],
    );
    await sql(
      `insert into comment (id, workspace_id, project_id, issue_id, author_id, body_md, body_html, created_at, updated_at)
       select gen_random_uuid(), $1, i.project_id, i.id, $2, ${TEXT}, '', i.created_at, i.created_at
       from (select *, row_number() over (order by created_at) + $3::int as n from issue
             where workspace_id = $1 order by created_at desc limit $4::int - $3::int) i`,
      [workspaceId, userId, from, to],
    );
  }
  await sql(
    `with ${projects}
     insert into doc (id, workspace_id, project_id, branch, title, body_md, visibility, owner_id, word_count, created_by,
                      updated_by, created_at, updated_at)
     select gen_random_uuid(), $1, p.ids[1 + n % ${PROJECTS}], gen_random_uuid(), 'Doc ' || n,
            ${TEXT} || repeat(' More words of a longer text, which say little.', 20), 'workspace', $2, 20, $2, $2,
            ${CREATED(ISSUES / 10)}, ${CREATED(ISSUES / 10)}
     from generate_series(1, ${ISSUES} / 10) n, p`,
    [workspaceId, userId],
  );
  await sql("vacuum analyze");
}
