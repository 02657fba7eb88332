// The manager of a swarm with runners that only pretend: who waits gets the parts of what others run, every part is run
// once, and what was cancelled has no result.

import { describe, expect, it } from 'vitest';
import { Agenda, type Task } from '../engines/swarm/agenda.ts';
import type { InstanceResult } from '../engines/swarm/instance-result.ts';
import type { Instances } from '../engines/swarm/instances.ts';
import type { InstanceRunner } from './instance-runner.ts';
import { runSwarm } from './swarm-manager.ts';

const NONE: InstanceResult = { kind: 'none', cuts: [], assertions: null };
const LATE: InstanceResult = { kind: 'unknown', cause: 'time', reason: 'time is up' };

const FULL: InstanceResult = { kind: 'unknown', cause: 'memory', reason: 'the solver ran out of memory' };

function instances(count: number): Instances {
  return { count: BigInt(count), total: null, at: (index) => ({ name: `${index}`, windows: [] }) };
}

const SPLITTING = {
  depth: 1,
  split: ({ name }: Task['instance']) => ({ count: 3, at: (i: number) => ({ name: `${name}.${i}`, windows: [] }) }),
};

function runner(judge: (task: Task) => InstanceResult, waits = 1): InstanceRunner {
  return {
    run: async (task) => {
      for (let i = 0; i < waits; i++) await new Promise((resolve) => setImmediate(resolve));
      return { result: judge(task), elapsedMs: 1, memoryBytes: 0 };
    },
    dispose: async () => {},
  };
}

describe('the manager', () => {
  it.each([LATE, FULL])('gives the parts of an instance to runners that wait: $reason', async (late) => {
    const judge = ({ key }: Task) => (key === '0' ? late : NONE);
    const by: string[][] = [[], []];
    const runners = [runner(judge, 5), runner(judge, 1)].map((each, i) => ({
      ...each,
      run: (task: Task) => {
        by[i]?.push(task.key);
        return each.run(task);
      },
    }));
    const results: string[] = [];
    await runSwarm({
      agenda: new Agenda(instances(1), SPLITTING),
      runners,
      onResult: ({ key }, { result }) => {
        results.push(`${key} ${result.kind}`);
        return false;
      },
    });
    expect(results.sort()).toEqual(['0 split', '0.0 none', '0.1 none', '0.2 none']);
    expect(by[1]?.length).toBeGreaterThan(0);
  });

  it('does not split what has no answer for another reason', async () => {
    const results: string[] = [];
    await runSwarm({
      agenda: new Agenda(instances(2), SPLITTING),
      runners: [runner(() => ({ kind: 'unknown', cause: 'unsupported', reason: 'alien' }))],
      onResult: ({ key }, { result }) => {
        results.push(`${key} ${result.kind}`);
        return false;
      },
    });
    expect(results).toEqual(['0 unknown', '1 unknown']);
  });

  it('ends all when a result says so, also those who wait', async () => {
    const results: string[] = [];
    await runSwarm({
      agenda: new Agenda(instances(100), SPLITTING),
      runners: [runner(() => NONE), runner(() => NONE, 50), runner(() => NONE, 50)],
      onResult: ({ key }) => {
        results.push(key);
        return results.length === 3;
      },
    });
    expect(results).toEqual(['0', '3', '4']);
  });
});
