/** What managers and workers call things on the queue. */

/** The queue of a version, and of a backend: instances that somebody else must run are never seen. */
export function queueName(version: string, backend: string | null = null): string {
  return backend === null ? `instances-${version}` : `instances-${version}-${backend}`;
}

/** Who is there: workers with their cores, swarms that want something. */
export const WORKERS = 'workers';
export const SWARMS = 'swarms';

/** The queue is of no use any more. */
export class QueueLost extends Error {
  override readonly name = 'QueueLost';
}

const FAREWELL_MS = 3000;

/** At the end nobody waits long for a server that does not answer, and nobody minds. */
export async function farewellWithin(farewell: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS);
  });
  await Promise.race([farewell.catch(() => {}), late]);
  clearTimeout(timer);
}
