/** What Claude's stream protocol asks, in the shapes that 2.1.330 sends (docs/protocols/claude-sdk.md). */

interface Request {
  subtype: string
  [member: string]: unknown
}

const use = (tool_name: string, input: object, more: object = {}): Request => ({
  ...{ subtype: 'can_use_tool', tool_name, display_name: tool_name, input, tool_use_id: 'toolu_1' },
  ...more,
})
const rule = (toolName: string, ruleContent?: string) => ({
  ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
  rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
})

export const plan = `# Warmer rooms

The heating should keep the rooms at **21 °C**. See [the notes](https://example.com/notes).

1. Read the sensors every minute
2. Turn the pump on below 20 °C
   and off above 22 °C
3. Write a test for each limit

\`\`\`ts
const limits = { low: 20, high: 22 }
\`\`\`
`

export const claudeAsks = {
  command: use(
    'Bash',
    { command: 'touch a.txt', description: 'Make a file' },
    {
      ...{ description: 'Make a file', blocked_path: '/work/a.txt' },
      permission_suggestions: [
        rule('Bash', 'touch a.txt'),
        { type: 'addDirectories', directories: ['/work'], destination: 'session' },
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      ],
    },
  ),
  danger: use(
    'Bash',
    { command: 'rm -rf /' },
    {
      ...{ decision_reason: '\u001b[1mDangerous rm operation on critical path: /\u001b[0m' },
      ...{ decision_reason_type: 'safetyCheck', classifier_approvable: false, default_to_no: true },
      ...{ suppress_always_allow_rule: true, permission_suggestions: [], agent_id: 'a10dd6ba2e77f22e8' },
    },
  ),
  address: use(
    'WebFetch',
    { url: 'https://example.com/a', prompt: 'What is it?' },
    { permission_suggestions: [rule('WebFetch', 'domain:example.com')] },
  ),
  tool: use(
    'mcp__weather__forecast',
    { city: 'Bern', days: 2, notes: 'two\nlines' },
    { display_name: 'Forecast', permission_suggestions: [rule('mcp__weather__forecast')] },
  ),
  questions: use(
    'AskUserQuestion',
    {
      questions: [
        {
          ...{ question: 'Which layout should the page have?', header: 'Layout', multiSelect: false },
          options: [
            {
              label: 'Columns',
              description: 'Two beside each other',
              preview: '+---+---+\n| a | b |\n+---+---+',
            },
            {
              label: 'Rows',
              description: 'One below the other',
              preview: '+-------+\n|   a   |\n|   b   |\n+-------+',
            },
          ],
        },
        {
          ...{ question: 'Which parts do you want?', header: 'Parts', multiSelect: true },
          options: [
            { label: 'Header', description: 'With the name' },
            { label: 'Footer', description: 'With the version' },
          ],
        },
      ],
    },
    { requires_user_interaction: true },
  ),
  plan: use('ExitPlanMode', { plan, planFilePath: '/p.md' }, { requires_user_interaction: true }),
  form: {
    ...{
      subtype: 'elicitation',
      mcp_server_name: 'tickets',
      message: 'A ticket for the heating',
      mode: 'form',
    },
    requested_schema: {
      type: 'object',
      properties: {
        title: { type: 'string', title: 'Title', minLength: 2 },
        size: { type: 'integer', minimum: 1, maximum: 5 },
        urgent: { type: 'boolean', default: true },
        kind: { type: 'string', enum: ['bug', 'idea'] },
      },
      required: ['title'],
    },
    property_order: ['title', 'size', 'urgent', 'kind'],
  },
  signIn: {
    ...{ subtype: 'elicitation', mcp_server_name: 'tickets', message: 'Sign in first', mode: 'url' },
    ...{ url: 'https://example.com/sign-in?for=tickets', elicitation_id: 'x1' },
  },
  dialog: {
    ...{ subtype: 'request_user_dialog', dialog_kind: 'refusal_fallback_prompt' },
    payload: {
      originalModel: 'claude-opus-5-5',
      fallbackModel: 'claude-sonnet-5',
      guidanceText: 'Say it in other words.',
    },
  },
} satisfies Record<string, Request>
