// @ts-check
// The desktop half of a package with a backend: it talks to ../dashboard/plugin_api.py through ctx.rest and ctx.socket.
import {
  Button,
  Checkbox,
  EmptyState,
  ErrorState,
  Input,
  Loader,
  PANES_AREA,
  queryClient,
  useMutation,
  useQuery,
} from '@hermes/plugin-sdk'
import { useState } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

const CARDS = ['team-board', 'cards']
const POLL_MS = 10_000

const pane = { display: 'flex', flexDirection: 'column', gap: 12, padding: 12 }
const bare = { display: 'grid', gap: 6, listStyle: 'none', margin: 0, padding: 0 }
const row = { alignItems: 'center', display: 'flex', gap: 8 }
const done = { color: 'var(--ui-text-quaternary)', textDecoration: 'line-through' }

/** @typedef {{id: number, title: string, done: boolean}} Card */

const refresh = () => queryClient.invalidateQueries({ queryKey: CARDS })

function NewCard({ rest }) {
  const [title, setTitle] = useState('')
  const add = useMutation({
    mutationFn: () => rest('/cards', { method: 'POST', body: { title } }),
    onSuccess() {
      setTitle('')
      return refresh()
    },
  })
  return jsxs('form', {
    style: row,
    onSubmit(event) {
      event.preventDefault()
      if (title.trim() !== '') add.mutate()
    },
    children: [
      jsx(Input, {
        'aria-label': 'New card',
        maxLength: 120,
        placeholder: 'New card',
        value: title,
        onChange: (event) => setTitle(event.target.value),
      }),
      jsx(Button, { type: 'submit', disabled: add.isPending || title.trim() === '', children: 'Add' }),
      add.isError && jsx('span', { role: 'alert', children: 'The card was not added.' }),
    ],
  })
}

function Cards({ rest }) {
  // The socket below is only faster: where it cannot connect, polling keeps the board true.
  const query = useQuery({ queryKey: CARDS, queryFn: () => rest('/cards'), refetchInterval: POLL_MS })
  const tick = useMutation({
    mutationFn: (/** @type {Card} */ card) => rest(`/cards/${card.id}/done?done=${!card.done}`, { method: 'PUT' }),
    onSuccess: refresh,
  })

  if (query.isPending) return jsx(Loader, { label: 'Loading the board' })
  if (query.isError) {
    const description = 'Is the package enabled, and has Hermes been restarted since?'
    return jsx(ErrorState, { title: 'The board is not reachable', description })
  }
  /** @type {Card[]} */
  const cards = query.data?.cards ?? []
  if (cards.length === 0) return jsx(EmptyState, { title: 'No cards yet' })
  return jsx('ul', {
    style: bare,
    children: cards.map((card) =>
      jsxs(
        'li',
        {
          style: row,
          children: [
            jsx(Checkbox, { 'aria-label': card.title, checked: card.done, onCheckedChange: () => tick.mutate(card) }),
            jsx('span', { style: card.done ? done : undefined, children: card.title }),
          ],
        },
        card.id,
      ),
    ),
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'team-board',
  name: 'Team board',
  description: 'Cards that live in the package’s own backend.',

  register(ctx) {
    ctx.register({
      id: 'pane',
      area: PANES_AREA,
      title: 'Team board',
      data: { placement: 'left', width: '300px', minWidth: '220px' },
      render: () =>
        jsxs('section', {
          'aria-label': 'Team board',
          style: pane,
          children: [jsx(NewCard, { rest: ctx.rest }), jsx(Cards, { rest: ctx.rest })],
        }),
    })
    ctx.socket('/events', refresh)
  },
}
