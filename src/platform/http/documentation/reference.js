// Runs in the browser, only on the reference: sends operations with a token, and shows each call as a curl command.
// Without it the page is complete for reading. Text is always set as text, never as HTML. decisions/0062-try-it-out.md
const SHOWN_MAX = 200_000
const state = { token: '' }

/** Where the service is published: a proxy may do so below a path. */
const ROOT = new URL('..', import.meta.url).href
/** The address of a path of the service. */
const addressOf = (url) => ROOT + url.slice(1)
const description = await (await fetch(addressOf('/openapi.json'), { credentials: 'omit' })).json()
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

/** An element with properties and children. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

let labels = 0
/** A field under its label. */
function labeled(text, field, hint) {
  field.id = `try-${++labels}`
  const label = element('label', { htmlFor: field.id }, text)
  if (!hint) return [label, field]
  const note = element('small', { id: `${field.id}-hint` }, hint)
  field.setAttribute('aria-describedby', note.id)
  return [label, field, note]
}

const button = (text, onclick) => element('button', { type: 'button', onclick }, text)

/** Quotes a text for a shell, which then expands nothing in it. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** Requests a token, or accepts one from the reader. It is kept only in this page. */
function accessPanel() {
  const status = element('output', {}, 'No token yet: a call without one returns 401.')
  const clientId = element('input', { autocomplete: 'off', spellcheck: false })
  const secret = element('input', { type: 'password', autocomplete: 'off' })
  const token = element('input', { type: 'password', autocomplete: 'off' })
  const use = (value, words) => {
    state.token = value
    status.textContent = words
  }
  token.oninput = () => use(token.value.trim(), token.value.trim() ? 'Calls use this token.' : 'No token.')
  const ask = async (event) => {
    event.preventDefault()
    const answer = await send({
      method: 'POST',
      url: '/api/auth/v2/token',
      body: JSON.stringify({ client_id: clientId.value.trim(), client_secret: secret.value.trim() }),
      token: '',
    })
    const given = answer.ok ? JSON.parse(answer.text).access_token : ''
    token.value = given
    use(given, given ? 'Calls use this token.' : `No token: ${answer.title}. ${answer.text}`)
    if (given) secret.value = ''
  }
  return element(
    'section',
    { className: 'access' },
    element('h2', {}, 'Try it out'),
    element(
      'p',
      {},
      'Every operation below can be called from this page with a token of your organization. Calls are real: they read and change its records. The token is kept only in this page, until it is closed.',
    ),
    element(
      'form',
      { className: 'fields', onsubmit: ask },
      ...labeled('Client id', clientId),
      ...labeled('Client secret', secret),
      element('p', {}, element('button', {}, 'Get a token')),
      ...labeled('Or an access token', token),
      status,
    ),
  )
}

/** The result of a call, as text. */
async function send({ method, url, body, type = 'application/json', token }) {
  const headers = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': type }),
  }
  try {
    // No cookies, so that the call never uses the session of a user who is signed in to the console.
    const answer = await fetch(addressOf(url), { method, headers, body, credentials: 'omit', cache: 'no-store' })
    const title = `${answer.status} ${answer.statusText}`.trim()
    const requestId = answer.headers.get('x-request-id')
    return { ok: answer.ok, title: requestId ? `${title} · request ${requestId}` : title, text: await textOf(answer) }
  } catch {
    return { ok: false, title: 'No answer', text: 'The service could not be reached.' }
  }
}

async function textOf(answer) {
  const type = answer.headers.get('content-type') ?? ''
  if (!/json|text/.test(type)) return `${(await answer.blob()).size} bytes ${type}`
  const text = await answer.text()
  return /json/.test(type) && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text
}

/** The parts of an operation that its caller fills in. */
function fieldsOf({ parameters = [], requestBody }) {
  const inputs = parameters.map((parameter) => ({ parameter, input: inputFor(parameter.schema) }))
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const example = content?.example === undefined ? '{}' : JSON.stringify(content.example, null, 2)
  const body =
    content &&
    element('textarea', { value: example, spellcheck: false, rows: Math.min(20, example.split('\n').length) })
  return { inputs, body, type }
}

function inputFor(schema) {
  const name = schema.$ref?.split('/').at(-1)
  const { enum: values, type } = name ? description.components.schemas[name] : schema
  const choices = type === 'boolean' ? ['true', 'false'] : values
  if (!choices) return element('input', { autocomplete: 'off', spellcheck: false })
  return element('select', {}, new Option('', ''), ...choices.map((value) => new Option(value, value)))
}

/** The request with the values of the fields. */
function requestOf({ method, path }, { inputs, body, type }) {
  const query = new URLSearchParams()
  let filled = path
  for (const { parameter, input } of inputs) {
    const value = input.value
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '') {
      const values = parameter.schema.type === 'array' ? value.split(',') : [value]
      for (const each of values) query.append(parameter.name, each.trim())
    }
  }
  const search = query.size > 0 ? `?${query}` : ''
  return { method, url: `${filled}${search}`, type, ...(body && { body: body.value }) }
}

/** The call as a command. The token is a variable, so that it is not stored in a shell history. */
function curlOf({ method, url, body, type }, isPublic) {
  const parts = [`curl -sS -X ${method} ${quoted(addressOf(url))}`]
  if (!isPublic) parts.push('-H "Authorization: Bearer $TOKEN"')
  if (body !== undefined) parts.push(`-H ${quoted(`Content-Type: ${type}`)}`, `--data-raw ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

function tryOut(operation) {
  const fields = fieldsOf(operation)
  const isPublic = operation.security.length === 0
  const command = element('pre', { tabIndex: 0 })
  const status = element('output', {})
  const answer = element('pre', { hidden: true, tabIndex: 0 })
  const show = () => {
    command.textContent = curlOf(requestOf(operation, fields), isPublic)
  }
  const missing = () =>
    fields.inputs.find(({ parameter, input }) => parameter.required && input.value === '')?.parameter.name
  const call = async (event) => {
    event.preventDefault()
    answer.hidden = true
    const name = missing()
    if (name) {
      status.textContent = `${name} is missing.`
      return
    }
    status.textContent = 'Waiting for the answer.'
    const result = await send({ ...requestOf(operation, fields), token: isPublic ? '' : state.token })
    status.textContent = result.title
    const isLong = result.text.length > SHOWN_MAX
    answer.textContent = isLong ? `${result.text.slice(0, SHOWN_MAX)}\n… (shortened)` : result.text
    answer.hidden = result.text === ''
  }
  const copy = async () => {
    await navigator.clipboard?.writeText(command.textContent)
    status.textContent = navigator.clipboard ? 'Copied.' : 'This browser copies only over TLS: select the command.'
  }
  const rows = fields.inputs.flatMap(({ parameter: { name, required, schema }, input }) =>
    labeled(
      required ? `${name} (required)` : name,
      input,
      schema.type === 'array' ? 'Several values, separated by commas.' : '',
    ),
  )
  show()
  return element(
    'form',
    { className: 'fields', onsubmit: call, oninput: show },
    ...rows,
    ...(fields.body ? labeled('Body', fields.body) : []),
    command,
    element('p', {}, element('button', {}, 'Send'), ' ', button('Copy as curl', copy)),
    status,
    answer,
  )
}

for (const operation of operations) {
  const details = element('details', { className: 'try' }, element('summary', {}, 'Try it out'))
  // There are more than a hundred operations, so each form is created when it is opened.
  details.addEventListener('toggle', () => details.append(tryOut(operation)), { once: true })
  document.getElementById(operation.operationId)?.append(details)
}
document.querySelector('main > header')?.after(accessPanel())
