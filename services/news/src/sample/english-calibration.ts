/** News of the laboratory up to 2025. Format: see `parse` in drafts.ts. */
export const englishCalibration = `
2025-12-04 calibration/service christmas-intake-2025
Calibration over the holidays 2025
Instruments that arrive by 12 December leave before Christmas. The laboratory opens again on 7 January.
Parcels that come in between are taken in at gate 2 and wait unopened at room temperature. For a stop in production, call the number on the inquiry page.

2025-09-11 calibration/scope thread-gauges
Scope now includes plain thread plug gauges
Pitch diameter by the three-wire method, from M3 to M100, with an uncertainty of 2.5 µm.
The wires are our own and are compared every spring. Taper threads are not part of the scope and will not be soon.

2025-05-22 calibration/comparison dial-indicator-comparison
Dial indicators: six laboratories, one robot, little disagreement
Three indicators were measured by hand and by machine. The hands did as well as the machine, in four times the time.
Our largest difference from the mean was 0.7 µm at an uncertainty of 1.5 µm. It came at the turning point, where everyone’s did.

2025-03-06 calibration/advice how-often
How often should a micrometer be calibrated?
Nobody but you can say. From 40,000 certificates we can say how fast instruments of each kind drift.
Of the M2 micrometers that came back after a year, 97 of 100 were still within tolerance; after three years 91. Callipers last longer, bore gauges less long.
A rule that has proved itself: begin with a year. If nothing has moved by more than a third of the tolerance twice running, double it.

2024-12-05 calibration/service twelve-days-for-now
Twelve working days until summer
More instruments come in than we can measure in eight days. Two rooms are being built; until then it takes longer.
We would rather give the true number now than apologise for each parcel. Urgent instruments can be booked for a day, four places a week.

2024-10-17 calibration/scope accreditation-renewed-2024
Accreditation renewed for four years
Assessors spent four days in the laboratory and noted two minor points, both settled since.
One concerned a label that faded, the other the way a visitor’s coat was counted as a source of heat. Both were right.

2024-05-02 calibration/comparison ring-comparison-krakow
Ring gauges: a comparison that began in Kraków
Seven laboratories from five countries measured three rings. We measured first and last, to see whether the rings had changed.
They had not, by more than 0.1 µm. Our results lay at 0.3 of the stated uncertainty on average.

2023-11-09 calibration/advice blocks-wringing
Wringing gauge blocks without harm
Two clean blocks hold together with the force of forty newtons. Two dirty ones hold as well, once, and are scratched.
Wipe, look, slide, turn. If a block does not take hold at the second try, it has a burr; do not try a third time.
- Wipe with a lint-free cloth and ethanol
- Look along the face against a lamp
- Slide on crosswise, from the edge
- Turn by ninety degrees with light pressure

2023-09-28 calibration/service lodz-intake
Łódź takes in instruments for calibration
Customers in Poland, Czechia and Hungary need no longer send parcels across the sea. A van leaves every Tuesday.
The measuring is still done in Ängsholm. It takes two days longer and costs no more.

2023-04-20 calibration/scope length-bars
Length bars up to one metre within the scope
The comparator has been extended by 400 mm. Long bars and setting rods need no longer be measured in two halves.
The uncertainty at one metre is 1.2 µm. Half of it is temperature: along one metre, a tenth of a kelvin makes 1.15 µm.

2022-12-01 calibration/comparison vernier-comparison
Verniers: readers differ more than instruments
Twelve people in four laboratories read the same three callipers. The instruments agreed within 0.01 mm, the people within 0.04.
Nobody was told the setting. Readers who took off their glasses did best.

2022-09-15 calibration/service labels-without-glue
Calibration labels that can be taken off
The new label holds for two years in oil and leaves no glue. The date is punched, not written.
Colours stay as they were: one for each year, beginning again every five.

2022-05-19 calibration/advice temperature-first
Temperature first: what an hour on the plate is worth
A shaft of 100 mm that comes warm from the lathe is 12 µm too long at thirty degrees. No instrument can know that.
Put part and instrument on the same steel plate. After an hour they differ by less than half a kelvin, whatever the room does.
| Waiting time | Difference in temperature | Error on 100 mm |
| --- | --- | --- |
| none | 10 K | 12 µm |
| 20 minutes | 3 K | 3.5 µm |
| 1 hour | 0.4 K | 0.5 µm |

2021-12-09 calibration/scope remote-assessment
Assessed through a camera
The yearly visit of the accreditation body took place by video. It took longer than a visit and found as much.
The assessor asked to be carried to the thermometer behind the comparator, which nobody had thought of moving into the picture.

2021-06-17 calibration/comparison micrometer-comparison
Outside micrometers: results of the Baltic comparison
Eight laboratories measured one micrometer, which was one of ours. We were told afterwards.
Our values lay within 0.4 µm of the mean. The flatness of the faces was seen by five of eight; it is hard to see.

2021-03-04 calibration/service signed-pdf
Certificates with an electronic signature
From April a certificate is a signed file. Paper is printed from it on request and bears the same number.
The signature can be checked without us and will still be valid when the person who signed has retired.

2020-10-08 calibration/scope accreditation-renewed-2020
Accreditation under the new standard
The laboratory now works to ISO/IEC 17025:2017. What changes for customers is the rule by which we decide.
A certificate says “within tolerance” only if the value and its whole uncertainty lie inside. If not, it gives the value and leaves the decision to you.

2020-04-02 calibration/service open-in-spring
The laboratory stays open
We work in two shifts that do not meet. Parcels rest for a day before they are opened.
It takes eleven working days instead of eight. Instruments for makers of medical equipment go first.

2019-11-28 calibration/advice reading-a-certificate
How to read a certificate in two minutes
Three numbers matter: the error, its uncertainty, and the limit you work to. The rest is there in case of doubt.
If error and uncertainty together stay below the limit, use the instrument. If the error alone exceeds it, do not. In between lies the only case that needs a person.

2019-05-09 calibration/scope surface-plates
Surface plates measured where they stand
Two colleagues with two levels and a van come to plates up to 3 by 2 metres, within a day’s drive.
Please clear the plate the evening before and leave the light on: a lamp switched on in the morning bends a plate by a micrometre or two.

2018-11-22 calibration/comparison height-gauge-comparison
Height gauges: comparison between three works
We, a maker of bearings and a maker of turbines measured the same step gauge. The turbine people won.
Their room is better, and so is their floor. We have since put the comparator on a block of its own.

2018-06-14 calibration/service shelf-life
A shelf for instruments that are not in use
Calibrated instruments can wait with us, and the interval begins on the day they leave.
Whoever has twenty micrometers and uses twelve need not calibrate twenty. About sixty customers keep instruments here.

2018-02-22 calibration/advice light-and-scales
Light for reading scales
From the side, a groove casts a shadow that moves the line by half its width. From above it does not.
Eight hundred lux, from two sides, no glare. We give the type of lamp on request and earn nothing by it.

2017-06-22 calibration/scope blocks-interferometry
Gauge blocks by interferometry
For grade K and customers’ masters we now measure against light itself, up to 100 mm.
Two wavelengths and a good guess are enough: the guess must be right to a micrometre. The uncertainty is 25 nm plus a quarter of a nanometre for each millimetre.

2016-09-29 calibration/scope accreditation-renewed-2016
Accreditation renewed, scope unchanged
The national body has confirmed the scope of 2012 for another four years.
The assessors measured three instruments themselves with our equipment. Their results are in the file, next to ours.

2016-04-14 calibration/comparison blocks-zurich
Gauge blocks: comparison closed in Zürich
Eleven laboratories, one year, fourteen blocks. Our results lay within a third of the uncertainty on average.
At the closing meeting it was agreed to circulate worn blocks next, since those are what laboratories see.

2015-06-11 calibration/scope rings-100
Plain ring gauges up to 100 mm accredited
Rings from 3 to 100 mm, diameter and roundness. The larger ones still have to be sent elsewhere.
With the setting rings that come to the catalogue in autumn, instrument, ring and certificate will be from one house.

2014-11-27 calibration/service room-humidity
A drier measuring room
Relative humidity is now held at 45 per cent. Below 40 people complain, above 55 steel does.
The old plant kept temperature well and moisture not at all. It is the change that rust has noticed most.

2014-03-20 calibration/advice packing
How to pack an instrument so that it arrives as it left
Three of a hundred parcels reach us with a fault that was not there before. Nearly always the instrument could move.
Close the jaws but for a millimetre, loosen the clamp, wrap, fill every hollow. Paper is better than flakes, which creep.

2013-02-14 calibration/comparison callipers-schools
Callipers in schools: what 300 instruments showed
We calibrated the callipers of fourteen schools for nothing. One in six was out of tolerance, nearly all at the zero.
A fall from a bench closes the jaws askew. It takes four minutes to set right, and we have shown the teachers how.

2012-06-28 calibration/scope accreditation-2012
Wider scope: height gauges and dial indicators
Since June the accreditation covers all kinds of instruments that we make.
Until now a certificate for a height gauge was a works certificate. In the figures nothing changes; in an audit it does.

2011-03-17 calibration/service collection-by-van
Collection by van in Västra Götaland
On the first Thursday of each month we collect instruments and bring back those of the month before.
No parcels, no packing, no forms: the driver has the list. From ten instruments it costs nothing.

2009-09-24 calibration/advice zero-setting
The zero is not a formality
In one of four complaints about a micrometer the zero had not been set since it was bought.
Clean the faces with paper, close with the ratchet, read three times. If the three agree and are not zero, turn the sleeve, not the opinion.
`;
