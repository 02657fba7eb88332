// A Slurm of a test's own: controller, one node and munge on this machine, with ports, keys and folders that are nobody
// else's.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { freePort, waitUntil } from './redis.ts';

export interface Slurm {
  /** With it, commands of Slurm talk to this one. */
  readonly env: NodeJS.ProcessEnv;
  /** Until nothing is queued and nothing runs. */
  wait(): Promise<void>;
  remove(): Promise<void>;
}

export async function startSlurm(): Promise<Slurm> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-slurm-'));
  const file = (name: string) => path.join(folder, name);
  for (const name of ['state', 'spool']) mkdirSync(file(name));
  writeFileSync(file('munge.key'), randomBytes(1024), { mode: 0o400 });
  writeFileSync(file('slurm.conf'), await configuration(folder));
  const env: NodeJS.ProcessEnv = { ...process.env, SLURM_CONF: file('slurm.conf') };
  const children: ChildProcess[] = [];
  const start = (command: string, ...args: string[]) => {
    children.push(spawn(command, args, { env: { ...env, PATH: `${env.PATH}:/usr/sbin` }, stdio: 'ignore' }));
  };
  const remove = async () => {
    for (const child of children.reverse()) {
      const ended = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : null;
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const munge = ['key-file=munge.key', 'socket=munge.socket', 'pid-file=munge.pid', 'seed-file=munge.seed'];
  start(
    'munged',
    '--foreground',
    '--force',
    `--log-file=${file('munge.log')}`,
    ...munge.map((each) => `--${each.replace('=', `=${folder}/`)}`),
  );
  await waitUntil(() => existsSync(file('munge.socket')));
  start('slurmctld', '-D', '-c');
  start('slurmd', '-D', '-N', 'localhost');
  const ask = (command: string, ...args: string[]) => spawnSync(command, args, { env, encoding: 'utf8' }).stdout;
  try {
    await waitUntil(() => ask('sinfo', '-h', '-o', '%T').trim() === 'idle', 30_000);
  } catch (error) {
    const log = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').slice(-1500) : '');
    await remove();
    throw new Error(`Slurm does not start: ${log('slurmctld.log')} ${log('slurmd.log')}`, { cause: error });
  }
  return { env, wait: () => waitUntil(() => ask('squeue', '-h') === ''), remove };
}

async function configuration(folder: string): Promise<string> {
  const user = userInfo().username;
  return `ClusterName=test
SlurmctldHost=${hostname().replace(/\..*/, '')}(127.0.0.1)
SlurmctldPort=${await freePort()}
SlurmdPort=${await freePort()}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${folder}/munge.socket
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}
