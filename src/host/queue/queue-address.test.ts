import { describe, expect, it } from 'vitest';
import { readQueueAddress } from './queue-address.ts';

describe('the address of a queue', () => {
  it('has its parts, and is shown without user and password', () => {
    const read = readQueueAddress('redis://me:p%40ss%3Aw@example.org:7000/3', {}, 1000);
    expect(read).toMatchObject({
      kind: 'address',
      address: { host: 'example.org', port: 7000, database: 3, user: 'me', password: 'p@ss:w', tls: null },
    });
    expect(read).toMatchObject({ address: { shown: 'redis://example.org:7000/3', patienceMs: 1000 } });
    const plain = readQueueAddress('rediss://[::1]', {}, 1000);
    expect(plain).toMatchObject({ address: { host: '::1', port: 6379, database: 0, user: null, password: null } });
    expect(plain).toMatchObject({ address: { tls: { authority: null, certificate: null, key: null } } });
  });

  it.each([
    ['secret', {}],
    ['http://secret@host', {}],
    ['redis://', {}],
    ['redis://host/secret', {}],
    ['redis://host/1?secret', {}],
    ['redis://user:%zz-secret@host', {}],
    ['redis://host', { authority: 'ca.pem' }],
    ['rediss://host', { certificate: 'own.pem' }],
  ])('is refused without being repeated: %s', (text, files) => {
    const read = readQueueAddress(text, files, 1000);
    expect(read.kind).toBe('problem');
    expect(JSON.stringify(read)).not.toContain('secret');
  });
});
