/** Product news from the autumn of 2018 to 2025. Format: see `parse` in drafts.ts. */
export const englishProductsA = `
2025-11-20 products/price price-list-2026
Price list 2026
Prices rise by 2.4 per cent on average from 1 January. Spare parts stay where they are.
The rise follows the price of tool steel, which we pass on at half. Gauge blocks of grade 1 become 3 per cent cheaper because we now lap 24 instead of 16 in one setting.

2025-10-09 products/new dial-indicator-d50
Dial indicator D50 for long travel
A plunger travel of 50 mm with a division of 0.01 mm, for slides and presses. The second hand counts the turns.
The rack is cut from one bar and lapped against its pinion for two hours. Over the full travel the error stays within 25 µm, over any half turn within 6 µm.
It was asked for by a maker of presses who had been stacking two D10 on one another.

2025-08-21 products/notice calliper-200-clamp
Calliper 200: notice on the clamping screw
On serial numbers 25-3310 to 25-3498 the clamping screw can work loose. A new one is sent on request, with the key.
The thread was cut 0.05 mm too deep in one week of May. The reading is not affected as long as the slide is held with the thumb, as it should be.

2025-06-05 products/data data-file-dial-indicators
Error curves of dial indicators as text files
After the micrometers on trial, dial indicators follow: one file for each serial number, 0.1 mm from point to point.
The trial with two customers has run since January. One of them found a worn master with it, which was not what it was meant for.

2025-04-10 products/new gauge-block-set-g47
Gauge block set G47 in a case of ash
Forty-seven blocks of grade 0 or 1, from 1.005 to 100 mm. The case is made by a joiner eleven kilometres from here.
Ash moves less with damp than the beech we used before and does not stain steel. Each pocket is cut 0.4 mm wider than its block, so that a block can be lifted with two fingers.

2025-02-13 products/parts h4-columns
Columns for the height gauge H4 are being made again
Sixty columns for instruments from 2007 to 2014 will be ground in March. Orders are taken until the end of February.
We had counted on selling the last one in 2024 and sold it in 2022. The drawing is the old one; the steel is better.

2024-11-21 products/price price-list-2025
Price list 2025 with fewer surcharges
Prices change by 1.8 per cent on average. The surcharge for small orders ends on 1 January.
An order for one setting piece costs us as much paperwork as an order for a hundred. We have simplified the paperwork instead of charging for it.

2024-09-26 products/new inside-micrometer-m3i
Inside micrometer M3i from 5 to 30 mm
Two jaws in place of three rods cover the range, and it can be set from a plain ring. Reading 0.001 mm.
The measuring force is limited to 4 newtons by the same ratchet as in the M3, so that parts are at hand in any service workshop.

2024-06-27 products/notice m3-ratchet
Micrometer M3: ratchet may slip early
Some instruments with serial numbers 24-0455 to 24-0790 measure with 3 instead of 6 newtons. Results on steel are not affected.
On plastic or thin sheet the difference can reach 3 µm. The spring is exchanged in five minutes, here, in Łódź or by your own tool store.

2024-05-16 products/data protocol-text-published
The text format of our data files is now public
Four pages describe every line. No licence is needed, and no program of ours.
We have been asked for a program for years. We make instruments; others write better programs. What we can give is a format that stays as it is.

2024-03-07 products/new calliper-1000
Calliper 1000: one metre, four kilograms
A beam of drawn aluminium with a steel scale makes the longest calliper we build light enough for two hands.
Both jaws carry a bubble level. The scale is held at its middle and can grow towards both ends with temperature, as steel does.

2023-11-23 products/price price-list-2024
Price list 2024
Prices rise by 4.1 per cent on average from 1 January, the largest step in fifteen years.
Energy for hardening and freight to Asia account for three quarters of it. We have left the starter sets for schools out of the change.

2023-10-12 products/new lever-indicator-t08
Lever indicator T08 in two lengths
Measuring range 0.8 mm, division 0.01 mm, with a stylus of 15 or 36 mm. The bearing is a jewel, as in a watch.
A lever shows true values only when it lies almost parallel to the surface. The sheet in the case gives the factor for each ten degrees.

2023-06-15 products/parts dial-glasses
Glasses and bezels for all dial indicators since 1978
Six sizes cover forty-five years. Mineral glass replaces acrylic where the bezel allows it.
The most common repair is not a worn pinion but a blind glass. Whoever has a steady hand can change it without opening the movement.

2023-03-23 products/notice gauge-block-material
Gauge blocks: change of supplier for steel
Blocks with serial numbers from 23-100 are made of a new melt. The coefficient of expansion is 11.6 instead of 11.5 per million and kelvin.
At one degree from 20 °C this makes 0.01 µm on 100 mm. It matters to laboratories, hardly to workshops; we say so in any case.

2022-11-17 products/price price-list-2023
Price list 2023, in force until December
One list for the whole year in spite of the times. Prices rise by 3.2 per cent on average.
Some of our suppliers quote for a week. We think that whoever plans a measuring room needs a price that holds longer than the planning.

2022-10-06 products/new depth-gauge-250
Depth gauge 250 with interchangeable bases
Bases of 100, 150 and 200 mm fit the same beam without a tool. Range 250 mm, reading 0.05 mm.
The seat is a cone with a slope of 1 to 10. In 5,000 changes of base the zero moved by less than 4 µm.

2022-08-25 products/data usb-transmitter
Transmitter for dial indicators with a plain keyboard signal
It reports a reading as if someone had typed it. Any table on any computer can take it.
A box of 40 by 30 by 12 mm sits on the back of a D10. There is a button, a lamp and nothing to install.

2022-03-10 products/parts feet-for-stands
Feet, rods and clamps for measuring stands
All parts of the stands S1 to S4 can now be had one by one, even the felt.
A stand that creeps is often blamed on the indicator. In eight of ten cases the clamp is worn.

2021-11-18 products/price price-list-2022
Price list 2022: delivery times next to prices
For each order number the list now says how many weeks it takes. Prices rise by 1.9 per cent on average.
The weeks are checked on the first of each month. What is printed may be wrong by then; what stands on the order confirmation is not.

2021-09-16 products/new micrometer-m3
Micrometer M3: one turn, half a millimetre, one hand
The frame is 40 grams lighter than that of the M2 and insulated on both sides. Range 0 to 25 mm, reading 0.001 mm.
We have measured what a warm hand does: after three minutes the bare frame grows by 3 µm, the insulated one by less than 1 µm.
The M2 stays in the catalogue. It is cheaper, heavier and preferred by many.

2021-05-27 products/notice height-gauge-scriber
Height gauge H4: check of the scriber clamp
Clamps delivered between March and December 2020 can crack at the fillet. Please look, and write to us if you see a line.
Nobody has been hurt. The radius was drawn at 1 mm and machined at 0.2; both the drawing and the inspection have been changed.

2020-11-19 products/price price-list-2021
Price list 2021: no change
All prices of 2020 hold for another year, and so do the discounts for schools.
It was not a year in which to explain a new price to anyone.

2020-06-11 products/data error-curve-by-mail
Error curves sent by email while offices are empty
Whoever works from home can ask for the figures of any instrument made since 2009 by its serial number.
The answer comes from a person, within a working day. We have 1.1 million curves on file and about thirty requests a day.

2019-10-17 products/new bore-gauge-b2
Bore gauge B2 from 18 to 160 mm
Four heads and one handle. The centring bridge finds the diameter by itself; what remains to find is the axis.
Set it from a ring or from an outside micrometer. With a ring the uncertainty is about 2 µm, with a micrometer about 4.

2019-03-14 products/parts m1-last-spindles
Last spindles for the M1 micrometer
Forty spindles remain for the instrument we made from 1971 to 1984. After that we repair only with parts of other M1.
If you have an M1 that you no longer use, we pay for it. It may keep two others alive.

2018-09-20 products/new calliper-300-long-jaws
Calliper 300 with jaws of 90 mm
For flanges and wheels where ordinary jaws do not reach the middle. The slide is 110 mm long so that it does not tilt.
Long jaws multiply every tilt. We therefore scrape the slide by hand on its four faces, which takes an hour and a half.
`;
