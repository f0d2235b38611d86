const DEADLOCK = "40P01";
const SERIALIZATION = "40001";

/** Runs a transaction again that Postgres ended for another one's sake; nothing of it was kept, so this is safe. */
export async function withRetries<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      if ((code !== DEADLOCK && code !== SERIALIZATION) || attempt === tries) throw error;
    }
  }
}
