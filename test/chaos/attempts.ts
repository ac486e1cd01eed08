import { type Door, type House, session } from './doors'
import { requestText } from './raw-request'

type Headers = readonly (readonly [name: string, value: string])[]

/** One way to try to get in: bytes sent as they are to a port, of 127.0.0.1 unless `host` says otherwise. */
export interface Attempt {
  name: string
  bytes: string
  port: number
  host?: string
}

/** The right client's request with parts of it changed. `headers` replace those of the same name (empty: left out). */
export function knock(
  door: Door,
  change: { line?: string; token?: string | null; headers?: Headers; besides?: Headers; body?: string } = {},
): string {
  const { line = door.line, headers = [], besides = [], body = door.body } = change
  const token = change.token === null ? undefined : (change.token ?? door.token)
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()))
  const usual = door.headers.filter(([name]) => !replaced.has(name.toLowerCase()))
  return requestText(
    line,
    [...headers.filter(([, value]) => value !== ''), ...usual, ...door.withToken(token), ...besides],
    body,
  )
}

/** Hosts that do not name this server, as a page sends them after DNS rebinding. */
export function wrongHosts(door: Door): Attempt[] {
  const { port } = door
  const names = [
    `evil.example:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localhost.evil.example:${port}`,
    `evil.localhost:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1',
    'localhost',
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `evil.example#127.0.0.1:${port}`,
    `127.0.0.1:${port},evil.example`,
    `127.0.0.1:${port}.`,
  ]
  return [
    ...names.map((name) => ({
      name: `Host ${name.replace(String(port + 1), 'OTHER').replace(String(port), 'PORT')}`,
      port,
      bytes: knock(door, { headers: [['Host', name]] }),
    })),
    { name: 'no Host', port, bytes: knock(door, { headers: [['Host', '']] }) },
    {
      name: 'no Host, HTTP/1.0',
      port,
      bytes: knock(door, { line: door.line.replace('HTTP/1.1', 'HTTP/1.0'), headers: [['Host', '']] }),
    },
    {
      name: 'a wrong Host before the right one',
      port,
      bytes: knock(door, {
        headers: [['Host', `evil.example:${port}`]],
        besides: [['Host', `127.0.0.1:${port}`]],
      }),
    },
    {
      name: 'the right Host in the request line only',
      port,
      bytes: knock(door, {
        line: door.line.replace(' /', ` http://127.0.0.1:${port}/`),
        headers: [['Host', 'evil.example']],
      }),
    },
  ]
}

/** Requests that any site in the person's browser can make. */
export function wrongOrigins(door: Door): Attempt[] {
  const { port } = door
  const origins = [
    'http://evil.example',
    'null',
    'file://',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port + 1}`,
    'http://127.0.0.1',
    `http://127.0.0.1:${port}.evil.example`,
    `http://evil.example:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}, http://evil.example`,
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'vscode-webview://x',
  ]
  const attempts = origins.map((origin) => ({
    name: `Origin ${origin.replace(String(port + 1), 'OTHER').replace(String(port), 'PORT')}`,
    port,
    bytes: knock(door, { headers: [['Origin', origin]] }),
  }))
  const own = `http://127.0.0.1:${port}`
  return [
    ...attempts,
    {
      name: 'a foreign Origin before our own',
      port,
      bytes: knock(door, { headers: [['Origin', 'http://evil.example']], besides: [['Origin', own]] }),
    },
    {
      name: 'a preflight of a foreign page',
      port,
      bytes: knock(door, {
        line: door.line.replace(/^\w+/, 'OPTIONS'),
        headers: [
          ['Origin', 'http://evil.example'],
          ['Upgrade', ''],
          ['Content-Length', ''],
        ],
        besides: [['Access-Control-Request-Method', 'POST']],
        body: '',
      }),
    },
    {
      name: 'a form of a foreign page',
      port,
      bytes: requestText(
        door.line.replace(/^\w+/, 'POST'),
        [
          ['Host', `127.0.0.1:${port}`],
          ['Origin', 'http://evil.example'],
          ['Sec-Fetch-Site', 'cross-site'],
          ['Sec-Fetch-Mode', 'navigate'],
          ['Content-Type', 'text/plain'],
          ['Content-Length', String(door.body.length)],
          ...door.withToken(door.token),
        ],
        door.body,
      ),
    },
  ]
}

/** Secrets that are wrong, or not where they belong. */
export function wrongTokens(door: Door): Attempt[] {
  const { port, token } = door
  const given: [name: string, token: string | null][] = [
    ['no secret', null],
    ['an empty secret', ''],
    ['a secret that is one letter short', token.slice(0, -1)],
    ['a secret that is one letter long', `${token}x`],
    ['a secret with its last letter changed', token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['a secret with its letters’ case changed', swapCase(token)],
    ['a secret twice', `${token}, ${token}`],
    ['a secret between quotes', `"${token}"`],
    ['the secret of another server or window', door.others],
    ['a secret of a megabyte', 'x'.repeat(1_000_000)],
    ['undefined', 'undefined'],
    ['[object Object]', '[object Object]'],
    ['an asterisk', '*'],
  ]
  const bare = { token: null }
  const query = door.line.replace(/ HTTP/, `${door.line.includes('?') ? '&' : '?'}`)
  const inAddress = (name: string) => `${query}${name}=${token} HTTP/1.1`
  // Pages cannot set a header for a WebSocket, so the session server takes its secret from the address too.
  const names =
    door.name === 'sessions' ? ['authToken', 'access_token'] : ['token', 'authToken', 'access_token']
  return [
    ...given.map(([name, one]) => ({ name, port, bytes: knock(door, { token: one }) })),
    ...names.map((name) => ({
      name: `the secret in the address as ${name}`,
      port,
      bytes: knock(door, { ...bare, line: inAddress(name) }),
    })),
    {
      name: 'the secret as Basic',
      port,
      bytes: knock(door, { ...bare, besides: [['Authorization', `Basic ${btoa(`x:${token}`)}`]] }),
    },
    {
      name: 'the secret in a header of another server',
      port,
      bytes: knock(door, {
        ...bare,
        besides: [
          door.name === 'Claude'
            ? ['Authorization', `Bearer ${token}`]
            : ['X-Claude-Code-Ide-Authorization', token],
        ],
      }),
    },
    {
      name: 'the secret in the subprotocol',
      port,
      bytes: knock(door, { ...bare, headers: [['Sec-WebSocket-Protocol', `mcp, ${token}`]] }),
    },
    {
      name: 'two secrets, the wrong one first',
      port,
      bytes: knock(door, {
        token: null,
        besides: [...door.withToken('x'.repeat(token.length)), ...door.withToken(token)],
      }),
    },
  ]
}

const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))

/** Malformed and ambiguous requests, request smuggling among them. None carries the secret. */
export function brokenRequests(door: Door): Attempt[] {
  const { port } = door
  const host = `Host: 127.0.0.1:${port}\r\n`
  const secret = door
    .withToken(door.token)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const path = door.line.split(' ')[1] ?? '/'
  const post = `POST ${path} HTTP/1.1\r\n${host}`
  const inner = `GET ${path} HTTP/1.1\r\n${host}\r\n`
  const raw: [name: string, bytes: string][] = [
    [
      'length and chunks at once',
      `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    [
      'chunks twice over',
      `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a coding behind a tab', `${post}Transfer-Encoding:\tchunked, x\r\n\r\n0\r\n\r\n${inner}`],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello${inner}`],
    ['a length with a sign', `${post}Content-Length: +5\r\n\r\nhello${inner}`],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n${inner}`],
    ['a length beyond all numbers', `${post}Content-Length: 99999999999999999999999\r\n\r\n${inner}`],
    ['a chunk of no length', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`],
    ['a chunk longer than it says', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nhello\r\n0\r\n\r\n`],
    ['a header folded over two lines', `GET ${path} HTTP/1.1\r\n${host}X-A: b\r\n ${secret}\r\n`],
    ['a space before the colon', `GET ${path} HTTP/1.1\r\nHost : 127.0.0.1:${port}\r\n\r\n`],
    ['line feeds alone', `GET ${path} HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`],
    ['a carriage return within a header', `GET ${path} HTTP/1.1\r\n${host}X-A: b\rX-B: c\r\n\r\n`],
    ['a NUL within a header', `GET ${path} HTTP/1.1\r\n${host}X-A: b\0c\r\n\r\n`],
    ['headers of a megabyte', `GET ${path} HTTP/1.1\r\n${host}X-A: ${'a'.repeat(1_000_000)}\r\n\r\n`],
    ['ten thousand headers', `GET ${path} HTTP/1.1\r\n${host}${'X-A: b\r\n'.repeat(10_000)}\r\n`],
    ['an address of a megabyte', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n${host}\r\n`],
    ['HTTP/0.9', `GET ${path}\r\n\r\n`],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['HTTP/9.9', `GET ${path} HTTP/9.9\r\n${host}\r\n`],
    [
      'an upgrade to HTTP/2',
      `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ],
    ['a tunnel', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`],
    ['TRACE', `TRACE ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
    ['a method of no name', `\xff\xfe ${path} HTTP/1.1\r\n${host}\r\n`],
    ['TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
    [
      'an upgrade without a key',
      `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    ],
    ['an upgrade of an old version', knock(door, { token: null, headers: [['Sec-WebSocket-Version', '8']] })],
    ['a request hidden behind an upgrade', `${knock(door, { token: null })}${inner}`],
  ]
  return raw.map(([name, bytes]) => ({ name, port, bytes }))
}

/** Requests with the right secret for what is not served. */
export function otherPlaces(house: House): Attempt[] {
  const page = house.door('page')
  const cookie: Headers = [['Cookie', house.cookie]]
  const ask = (path: string, method = 'GET') =>
    requestText(`${method} ${path} HTTP/1.1`, [['Host', `127.0.0.1:${page.port}`], ...cookie])
  const start = `/w/${house.window}`
  const paths: [name: string, path: string][] = [
    ['a file above the page', `${start}/../../package.json`],
    ['the same, as %2e%2e', `${start}/%2e%2e/%2e%2e/package.json`],
    ['the same, as %2e%2e%2f', `${start}/%2e%2e%2f%2e%2e%2fpackage.json`],
    ['the same, escaped twice', `${start}/%252e%252e%252fpackage.json`],
    ['the same, with backslashes', `${start}/..\\..\\package.json`],
    ['the same, as too long UTF-8', `${start}/%c0%ae%c0%ae/package.json`],
    ['the host’s own script', `${start}/../main/headless.js`],
    ['an absolute path', `${start}//etc/passwd`],
    ['an absolute path, escaped', `${start}/%2fetc%2fpasswd`],
    ['a path with a NUL', `${start}/assets/x%00.js`],
    ['the folder of the scripts', `${start}/assets/`],
    ['a file of the project', `${start}/secret.txt`],
    ['the data directory', `${start}/session-server.token`],
    ['another window’s number', '/w/no-such-window/'],
    ['no window', '/w//'],
    ['the root', '/'],
    ['another host in the address', '//evil.example/'],
    ['a file as the address', 'file:///etc/passwd'],
  ]
  const sessions = house.door('sessions')
  const bearer = sessions.withToken(sessions.token)
  const askSessions = (path: string, method = 'GET') =>
    requestText(`${method} ${path} HTTP/1.1`, [['Host', `127.0.0.1:${sessions.port}`], ...bearer])
  const list = '/api/claude/sessions'
  const ids: [name: string, path: string][] = [
    ['the folder above the sessions', `${list}/..`],
    ['the same, escaped', `${list}/%2e%2e`],
    ['a file outside, escaped', `${list}/..%2f..%2f..%2fetc%2fpasswd`],
    ['a file outside, with backslashes', `${list}/..%5c..%5csecret`],
    ['a file outside, escaped twice', `${list}/%252e%252e%252fpasswd`],
    ['an absolute path', `${list}/%2fetc%2fpasswd`],
    ['an id with a NUL', `${list}/${session}%00.jsonl`],
    ['an id of dots', `${list}/...`],
    ['an id with an ending', `${list}/${session}.jsonl`],
    ['an id of 100,000 letters', `${list}/${'a'.repeat(100_000)}`],
    ['a path behind the session', `${list}/${session}/../..`],
    ['a file in the session’s folder', `${list}/${session}/subagents`],
    ['another part of the API', '/api/claude'],
    ['the root', '/'],
  ]
  const claude = house.door('Claude')
  const gemini = house.door('Gemini')
  const hooks = house.door('hooks')
  return [
    ...paths.map(([name, path]) => ({ name: `page: ${name}`, port: page.port, bytes: ask(path) })),
    { name: 'page: a link’s code a second time', port: page.port, bytes: ask(`/?code=${house.usedCode}`) },
    {
      name: 'page: a link’s code with HEAD',
      port: page.port,
      bytes: ask(`/?code=${house.usedCode}`, 'HEAD'),
    },
    { name: 'page: a link’s code that nobody gave', port: page.port, bytes: ask(`/?code=${'A'.repeat(43)}`) },
    { name: 'page: an empty code', port: page.port, bytes: ask('/?code=') },
    ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'].map((method) => ({
      name: `page: ${method}`,
      port: page.port,
      bytes: ask(`${start}/`, method),
    })),
    {
      name: 'page: the channel without an Origin',
      port: page.port,
      bytes: knock(page, { headers: [['Origin', '']] }),
    },
    {
      name: 'page: another window’s channel',
      port: page.port,
      bytes: knock(page, { line: 'GET /w/no-such-window/channel HTTP/1.1' }),
    },
    {
      name: 'page: two cookies of the same name',
      port: page.port,
      bytes: knock(page, {
        token: null,
        besides: [['Cookie', `${house.cookie}; ${house.cookie.split('=')[0]}=x`]],
      }),
    },
    ...ids.map(([name, path]) => ({
      name: `sessions: ${name}`,
      port: sessions.port,
      bytes: askSessions(path),
    })),
    ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({
      name: `sessions: ${method}`,
      port: sessions.port,
      bytes: askSessions(`${list}/${session}`, method),
    })),
    {
      name: 'Claude: another path',
      port: claude.port,
      bytes: knock(claude, { line: 'GET /mcp HTTP/1.1' }),
    },
    {
      name: 'Claude: a plain request',
      port: claude.port,
      bytes: knock(claude, { headers: [['Upgrade', '']] }),
    },
    { name: 'Gemini: another path', port: gemini.port, bytes: knock(gemini, { line: 'POST / HTTP/1.1' }) },
    {
      name: 'Gemini: a session that nobody began',
      port: gemini.port,
      bytes: knock(gemini, { besides: [['Mcp-Session-Id', session]] }),
    },
    {
      name: 'Gemini: a message as a form',
      port: gemini.port,
      bytes: knock(gemini, { headers: [['Content-Type', 'text/plain']] }),
    },
    {
      name: 'Gemini: a stream without a session',
      port: gemini.port,
      bytes: knock(gemini, { line: 'GET /mcp HTTP/1.1' }),
    },
    { name: 'Gemini: PUT', port: gemini.port, bytes: knock(gemini, { line: 'PUT /mcp HTTP/1.1' }) },
    { name: 'hooks: another path', port: hooks.port, bytes: knock(hooks, { line: 'POST / HTTP/1.1' }) },
    { name: 'hooks: PUT', port: hooks.port, bytes: knock(hooks, { line: 'PUT /hook HTTP/1.1' }) },
    {
      name: 'hooks: in the name of another terminal',
      port: hooks.port,
      bytes: knock(hooks, { headers: [['X-Greenlight-Terminal', 't2']] }),
    },
    ...house.doors.flatMap((door) => [
      { name: `${door.name}: by 127.0.0.2`, port: door.port, host: '127.0.0.2', bytes: knock(door) },
      { name: `${door.name}: by ::1`, port: door.port, host: '::1', bytes: knock(door) },
    ]),
  ]
}
