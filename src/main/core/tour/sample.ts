/** The file of the tour, and the sample agent's proposal for it: three changes, far enough apart to stay separate. */
export const sampleName = 'watering.js'

export const sampleText = `// When do the plants need water?

const plants = [
  { name: 'Tomato', days: 1 },
  { name: 'Cactus', days: 21 },
  { name: 'Basil', days: 2 },
]

function needsWater(plant, daysSince) {
  return daysSince > plant.days
}

function describe(plant, daysSince) {
  if (needsWater(plant, daysSince)) {
    return plant.name + ' is thirsty'
  }
  return plant.name + ' is fine'
}

for (const plant of plants) {
  console.log(describe(plant, 3))
}
`

export const sampleProposal = sampleText
  .replace('return daysSince > plant.days', 'return daysSince >= plant.days')
  .replace(
    "  return plant.name + ' is fine'",
    "  // Plants like to be talked to.\n  return plant.name.toUpperCase() + '!!! IS FINE'",
  )
  .replace('console.log(describe(plant, 3))', "console.log('TODO say hello: ' + describe(plant, 3))")
