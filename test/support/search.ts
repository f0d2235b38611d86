import type { Client } from "./client.ts";

type Found = {
  type: string;
  id: string;
  title: string;
  url: string | null;
  key: string | null;
  project_key: string | null;
  status: string | null;
  snippet: string;
  updated_at: string;
  score: number;
};

/** Results of a search. @param query further parameters, e.g. `types=comment` */
export async function search(client: Client, q: string, query = ""): Promise<Found[]> {
  const { data } = await client.get(`W/search?q=${encodeURIComponent(q)}${query && `&${query}`}`).expect(200);
  return data;
}

/** Titles of the results. */
export const titles = async (client: Client, q: string, query = ""): Promise<string[]> =>
  (await search(client, q, query)).map(({ title }) => title);
