/** Exhibitions up to 2025. Format: see `parse` in drafts.ts. */
export const englishExhibitions = `
2025-09-18 exhibitions/fair goteborg-2025
Workshop fair in Göteborg, with a bench of our own
We bring a bench, two fitters and forty worn instruments. Whoever wishes may set one right.
What you have repaired you may keep, with a certificate that says how well you did.

2025-05-08 exhibitions/fair lyon-2025
Measuring days Lyon: inside diameters
Bore gauge, inside micrometer and ring, side by side on one bearing seat. Which is right, and how would you know?
The seat has been measured by two laboratories. Guesses are put into a box; the values hang out on the last day.

2024-10-03 exhibitions/fair krakow-2024
Kraków: talk on intervals of calibration
What 40,000 certificates say about how fast instruments wear, and what they do not say.
The talk lasts twenty minutes and has eleven pictures. It is given in Polish in the morning and in English after lunch.

2024-04-18 exhibitions/fair brno-2024
Brno: the metre-long calliper to lift
Visitors may hold the Calliper 1000 and guess its weight. Most say six kilograms.
We also show how its scale is held, on a model with a heater that makes steel and aluminium grow before your eyes.

2023-09-07 exhibitions/fair zurich-2023
Zürich: lever indicators for watchmakers
The T08 is shown for the first time, to people who know better than we do how small bearings are made.
Two of its parts come from the valley next to the fair. We say which to anyone who asks.

2023-05-25 exhibitions/fair lodz-2023
Łódź: our own town, so to speak
The service workshop shows its work: one instrument an hour is opened, cleaned and closed again.
Bring a dial indicator that sticks. If it can be done in an hour, you take it home in order.

2022-09-29 exhibitions/fair gyor-2022
Győr: first fair after the pause
After two years without, we show the M3 micrometer and are glad to see faces.
The stand is smaller than it was and has more chairs.

2022-04-28 exhibitions/fair helsinki-2022
Helsinki: data without a program
How a reading gets from an indicator into a table, with a cable of 40 centimetres and nothing else.
We bring three old computers, since the new ones are no proof of anything.

2019-09-12 exhibitions/fair bilbao-2019
Bilbao: bore gauges on a cylinder
A ship’s cylinder of 160 mm stands on the stand and may be measured by everyone.
At the end of the fair we hope to have 300 readings and shall publish how they spread.

2018-10-11 exhibitions/fair torino-2018
Torino: long jaws for wheels
The Calliper 300 with jaws of 90 mm is shown on a wheel hub, next to the old way of doing it with a square.
The old way was right to a tenth. It took two people.

2017-04-27 exhibitions/fair birmingham-2017
Birmingham: a stand made of granite
We show the S4 with an indicator of 0.001 mm and ask visitors to jump.
What the needle does depends on the floor of the hall. In the corner by the lift it did nothing.

2016-09-15 exhibitions/fair gdansk-2016
Gdańsk: fifty years on four tables
One table for each decade but the first, which fits into a case. All instruments may be touched.
The fair falls into our anniversary year, and a part of the archive comes along: drawings, price lists, complaints.

2014-09-18 exhibitions/fair aarhus-2014
Aarhus: wind power measures large
Bearing seats of two metres are beyond our instruments. The rings they are set by are not.
We share the stand with a maker of measuring rods, as we have since 2008.

2012-10-04 exhibitions/fair linz-2012
Linz: the lens that does away with parallax
A small thing at a small stand, hall 2, next to the stairs.
There is a test chart. Ten readings with the lens and ten without, and you get your own two figures on a card.

2011-04-07 exhibitions/fair tallinn-2011
Tallinn: our first fair in Estonia
With our new distributor we show callipers, micrometers and height gauges. Prices are in euro, since January theirs too.
The talk on the second day is about setting zero and is meant for teachers of technical schools.

2010-10-07 exhibitions/fair wroclaw-2010
Wrocław: gauge blocks of carbide, with a file
Visitors may try to scratch a block with a file. The file is replaced every morning.
On the second day our service workshop explains how a stack is built and why its ends wear first.

2009-10-08 exhibitions/fair gyor-2009
Control Days in Győr in spite of it all
Many have cancelled. We come with two instead of five people and with everything we would have brought.
Whoever has less to make may have more time to measure. We bring the coffee.
`;
